// Plays files with three.js and compares what it shows with lists of expected values.
//
// Usage: node play.mjs FILE... with FILE.json beside each .glb or .bvh file:
// [[animation, [[time, [[node, path, shape or null, [numbers]], ...]], ...]], ...]
// The path "world" is the place of a node in the scene in meters, below all its parents. The joints
// of a BVH file are named by their numbers.

import { readFileSync } from "node:fs";
import { basename } from "node:path";

globalThis.self = globalThis;
globalThis.ProgressEvent ??= class {};
const three = await import("three");
const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
const { BVHLoader } = await import("three/examples/jsm/loaders/BVHLoader.js");
const { MeshoptDecoder } = await import("three/examples/jsm/libs/meshopt_decoder.module.js");

const BOUND = 1e-5;
// Rounded keys add up along a chain of bones.
const WORLD_BOUND = 1e-4;

function load(bytes) {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  return new Promise((resolve, reject) => loader.parse(buffer, "", resolve, reject));
}

function loadBvh(text) {
  const { skeleton, clip } = new BVHLoader().parse(text);
  const joints = skeleton.bones.filter((bone) => bone.name !== "ENDSITE");
  const scene = new three.Group().add(skeleton.bones[0]);
  scene.skeleton = skeleton;
  return { scene, animations: [clip], named: new Map(joints.entries()) };
}

// A file without scenes shows all its nodes.
async function shownScene(gltf) {
  if (gltf.scene) {
    return gltf.scene;
  }
  const scene = new three.Group();
  for (const node of await gltf.parser.getDependencies("node")) {
    if (node.parent === null) {
      scene.add(node);
    }
  }
  return scene;
}

function objects(gltf, scene) {
  const nodes = gltf.parser.json.nodes ?? [];
  const found = new Map();
  scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined && !found.has(nodes[index].name)) {
      found.set(nodes[index].name, object);
    }
  });
  return found;
}

function shown(object, path, shape) {
  switch (path) {
    case "translation":
      return object.position.toArray();
    case "scale":
      return object.scale.toArray();
    case "world":
      return object.getWorldPosition(new three.Vector3()).toArray();
    case "rotation":
      return object.quaternion.clone().normalize().toArray();
    default:
      return [object.morphTargetInfluences[object.morphTargetDictionary[shape]]];
  }
}

function difference(path, found, expected) {
  // q and -q are the same rotation.
  const dot = found.reduce((sum, part, at) => sum + part * expected[at], 0);
  const sign = path === "rotation" && dot < 0 ? -1 : 1;
  const parts = found.map(
    (part, at) => Math.abs(sign * part - expected[at]) / Math.max(1, Math.abs(expected[at])),
  );
  return Math.max(...parts.map((part) => (Number.isNaN(part) ? Infinity : part)));
}

let [compared, wrong] = [0, 0];
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const gltf = file.endsWith(".bvh") ? loadBvh(bytes.toString()) : await load(bytes);
  const scene = await shownScene(gltf);
  const named = gltf.named ?? objects(gltf, scene);
  for (const [animation, samples] of JSON.parse(readFileSync(`${file}.json`, "utf8"))) {
    const mixer = new three.AnimationMixer(scene);
    const action = mixer.clipAction(gltf.animations[animation]);
    action.setLoop(three.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    for (const [time, values] of samples) {
      mixer.setTime(time);
      for (const [node, path, shape, expected] of values) {
        const found = shown(named.get(node), path, shape);
        compared += 1;
        const bound = path === "world" ? WORLD_BOUND : BOUND;
        if (!(difference(path, found, expected) <= bound)) {
          wrong += 1;
          if (wrong <= 20) {
            console.log(
              `${basename(file)}: animation ${animation} at ${time} s: ${path} of ${node}: ` +
                `three.js shows ${found}, expected ${expected}`,
            );
          }
        }
      }
    }
  }
}
console.log(`${process.argv.length - 2} files, ${compared} values, ${wrong} differ`);
process.exit(wrong > 0 || compared === 0 ? 1 : 0);
