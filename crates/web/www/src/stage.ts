// The scene of the player: camera, lights, ground, and the nodes or the model that a pose is set on.

import {
  Box3,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  Object3D,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
  type LineBasicMaterial,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { PlayedNode } from "inbetween";
import { Bones } from "./bones.ts";
import type { Model } from "./model.ts";
import type { Playable } from "./protocol.ts";

/** The numbers of a node in a pose: translation x y z, rotation x y z w, scale x y z. */
export const STRIDE = 10;

export class Stage {
  readonly controls: OrbitControls;
  /** Whether something changed since the last `render`. */
  dirty = true;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  readonly #nodes: PlayedNode[];
  /** One for each node: that of the model with its name, or a new one. */
  readonly #objects: Object3D[];
  readonly #root = new Object3D();
  readonly #model: Model | null;
  #bones: Bones | null = null;
  #grid: GridHelper | null = null;

  /** Throws if the browser has no WebGL. */
  constructor(canvas: HTMLCanvasElement, { nodes, root }: Playable, model: Model | null) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#nodes = nodes;
    this.#model = model;
    this.#objects = nodes.map(({ name }) => model?.nodes.get(name) ?? new Object3D());
    if (model) {
      this.#root.add(model.scene);
    } else {
      this.#root.quaternion.fromArray(root.rotation);
      this.#root.scale.setScalar(root.scale);
    }
    for (const [index, { name, parent }] of nodes.entries()) {
      const object = this.#objects[index];
      // Nodes that the model does not have are added to it, so that all have a place in the world.
      if (object && !model?.nodes.has(name)) (this.#objects[parent] ?? this.#root).add(object);
    }
    const light = new DirectionalLight(0xffffff, 2.2);
    light.position.set(2, 5, 4);
    this.#scene.add(this.#root, new HemisphereLight(0xffffff, 0x8088a0, 2), light);
    this.controls = new OrbitControls(this.#camera, canvas);
    this.controls.addEventListener("change", () => {
      this.dirty = true;
    });
  }

  /** Sets the pose on the nodes. */
  apply(pose: Float32Array): void {
    for (let index = 0; index < this.#objects.length; index += 1) {
      const [object, at] = [this.#objects[index], index * STRIDE];
      if (!object) continue;
      object.position.fromArray(pose, at);
      object.quaternion.fromArray(pose, at + 3);
      object.scale.fromArray(pose, at + 7);
    }
    this.#root.updateMatrixWorld();
    this.dirty = true;
  }

  /** Returns the names and world positions of the nodes in the pose that was applied last. */
  positions(): [name: string, x: number, y: number, z: number][] {
    return this.#objects.map((object, index) => {
      const { x, y, z } = new Vector3().setFromMatrixPosition(object.matrixWorld);
      return [this.#nodes[index]?.name ?? "", x, y, z];
    });
  }

  /** Chooses camera, ground and sizes so that all poses are seen. */
  fit(poses: Float32Array[]): void {
    const box = new Box3();
    for (const pose of poses) {
      this.apply(pose);
      for (const [, x, y, z] of this.positions()) {
        if (Number.isFinite(x + y + z)) box.expandByPoint(new Vector3(x, y, z));
      }
    }
    if (this.#model?.hasMeshes) box.union(new Box3().setFromObject(this.#model.scene));
    const sphere = box.isEmpty() ? new Sphere(new Vector3(), 1) : box.getBoundingSphere(new Sphere());
    // A single part that only turns has no extent.
    const radius = sphere.radius > 1e-3 ? sphere.radius * 1.1 : 1;
    this.#bones = new Bones(this.#nodes, this.#objects, sphere.radius > 1e-3 ? radius : 4);
    this.#bones.group.visible = !this.#model?.hasMeshes;
    // Cells of a power of ten; wide enough to be seen below what floats above the ground.
    const reach = Math.max(radius, Math.abs(sphere.center.y));
    const cell = 10 ** Math.floor(Math.log10(reach));
    const cells = 2 * Math.ceil((2 * reach) / cell);
    const ground = cell * cells;
    this.#grid = new GridHelper(ground, cells);
    this.#grid.position.set(Math.round(sphere.center.x / cell) * cell, 0, Math.round(sphere.center.z / cell) * cell);
    this.#scene.add(this.#bones.group, this.#grid);
    const distance = (radius / Math.sin((this.#camera.fov * Math.PI) / 360)) * 1.15;
    this.#camera.near = distance / 200;
    this.#camera.far = distance * 20 + ground * 4;
    this.#camera.position.copy(sphere.center).addScaledVector(new Vector3(0.55, 0.35, 0.8).normalize(), distance);
    this.controls.target.copy(sphere.center);
    this.controls.update();
  }

  showBones(visible: boolean): void {
    if (this.#bones) this.#bones.group.visible = visible;
    this.dirty = true;
  }

  /** Takes the color of the ground from the style of the canvas. */
  recolor(color: string): void {
    const material = this.#grid?.material as LineBasicMaterial | undefined;
    if (!this.#grid || !material) return;
    material.vertexColors = false;
    material.color = new Color(color);
    material.needsUpdate = true;
    this.dirty = true;
  }

  resize(width: number, height: number): void {
    // `false`: the style sheet sets the size on the page.
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / Math.max(1, height);
    this.#camera.updateProjectionMatrix();
    this.dirty = true;
  }

  render(): void {
    this.dirty = false;
    if (this.#bones?.group.visible) this.#bones.update();
    this.#renderer.render(this.#scene, this.#camera);
  }

  dispose(): void {
    this.controls.dispose();
    this.#bones?.dispose();
    this.#grid?.dispose();
    this.#renderer.dispose();
    // Browsers allow few contexts; without this an old one lives until its canvas is collected.
    this.#renderer.forceContextLoss();
  }
}
