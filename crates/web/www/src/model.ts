// Loads the meshes of a .glb model for the player. The library has accepted the file before.

import { Group, LoadingManager, type Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";

export interface Model {
  scene: Object3D;
  /** The nodes by the names in the file; three.js changes names, and the first of several equal names counts. */
  nodes: Map<string, Object3D>;
  hasMeshes: boolean;
}

/** Larger models are not given to three.js. */
export const LARGEST_MODEL = 64 * 1024 * 1024;

export async function loadModel(file: File): Promise<Model> {
  const content = await file.arrayBuffer();
  const loader = new GLTFLoader(guarded(content));
  loader.setMeshoptDecoder(MeshoptDecoder);
  const gltf = await loader.parseAsync(content, "");
  // Files of animations alone may have no scene.
  const scene: Object3D = gltf.scene ?? gltf.scenes[0] ?? new Group();
  const nodes = new Map<string, Object3D>();
  let hasMeshes = false;
  scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    const name: unknown = index === undefined ? undefined : gltf.parser.json.nodes[index]?.name;
    // Meshes with several primitives become groups whose children refer to the same node.
    if (typeof name === "string" && !nodes.has(name)) nodes.set(name, object);
    hasMeshes ||= "isMesh" in object;
    // Bones move meshes far from their rest pose, for which three.js computed the bounds.
    object.frustumCulled = false;
  });
  return { scene, nodes, hasMeshes };
}

/**
 * Returns a manager that loads nothing but the blobs that three.js makes of images inside the file. A file may name any
 * address, even a blob of this page, so addresses in its JSON are never loaded; an empty blob takes their place.
 */
function guarded(content: ArrayBuffer): LoadingManager {
  const foreign = new Set<unknown>();
  const { images = [], buffers = [] } = jsonOf(content);
  for (const { uri } of [...images, ...buffers]) foreign.add(uri);
  const manager = new LoadingManager();
  manager.setURLModifier((url) => {
    if (url.startsWith("blob:") && !foreign.has(url)) return url;
    const empty = URL.createObjectURL(new Blob());
    setTimeout(() => URL.revokeObjectURL(empty), 10_000);
    return empty;
  });
  return manager;
}

/** Parses the first chunk of a .glb: after 12 bytes of header, its length, its type and the JSON. */
function jsonOf(content: ArrayBuffer): { images?: { uri?: unknown }[]; buffers?: { uri?: unknown }[] } {
  const length = new DataView(content).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(content, 20, length)));
}
