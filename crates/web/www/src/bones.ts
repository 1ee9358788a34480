// Draws nodes that have no meshes: bones as octahedra between parents and children, single parts as boxes with axes.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedMesh,
  type Material,
  Matrix4,
  MeshLambertMaterial,
  type Object3D,
  OctahedronGeometry,
  Quaternion,
  Vector3,
} from "three";
import type { PlayedNode } from "inbetween";

const UP = new Vector3(0, 1, 0);

/** All nodes are drawn with seven meshes, however many they are. */
export class Bones {
  readonly group = new Group();
  readonly #objects: Object3D[];
  /** The nodes that a bone leads to, with the parents that it starts at. */
  readonly #links: { from: Object3D; to: Object3D }[] = [];
  readonly #joints: Object3D[] = [];
  readonly #parts: Object3D[] = [];
  readonly #meshes: { links: InstancedMesh; joints: InstancedMesh; parts: InstancedMesh[] };
  readonly #size: number;

  /** `size` is the radius of everything, from which the sizes of joints and boxes follow. */
  constructor(nodes: PlayedNode[], objects: Object3D[], size: number) {
    this.#objects = objects;
    this.#size = size;
    const hasChildren = new Set(nodes.map(({ parent }) => parent));
    for (const [index, { parent }] of nodes.entries()) {
      const [object, from] = [objects[index], objects[parent]];
      if (!object) continue;
      if (from) this.#links.push({ from, to: object });
      if (parent >= 0 || hasChildren.has(index)) this.#joints.push(object);
      else this.#parts.push(object);
    }
    const mesh = (geometry: BufferGeometry, color: number, amount: number): InstancedMesh => {
      const created = new InstancedMesh(geometry, new MeshLambertMaterial({ color, flatShading: true }), amount);
      created.frustumCulled = false;
      this.group.add(created);
      return created;
    };
    const axis = (x: number, y: number, z: number): BufferGeometry => {
      const bar = (length: number): number => (length > 0 ? 2 : 0.08);
      return new BoxGeometry(bar(x), bar(y), bar(z)).translate(x, y, z);
    };
    this.#meshes = {
      links: mesh(boneGeometry(), 0x8ea3c4, this.#links.length),
      joints: mesh(new OctahedronGeometry(1), 0xe0a458, this.#joints.length),
      parts: [
        mesh(new BoxGeometry(1, 1, 1), 0x8ea3c4, this.#parts.length),
        // The colors of the axes are those of the curves.
        mesh(axis(1, 0, 0), 0xe5484d, this.#parts.length),
        mesh(axis(0, 1, 0), 0x2f9e58, this.#parts.length),
        mesh(axis(0, 0, 1), 0x3b82f6, this.#parts.length),
      ],
    };
  }

  // Reused in each frame.
  readonly #matrix = new Matrix4();
  readonly #start = new Vector3();
  readonly #end = new Vector3();
  readonly #turn = new Quaternion();
  readonly #scale = new Vector3();

  /** Moves everything to the world matrices of the nodes. */
  update(): void {
    const { links, joints, parts } = this.#meshes;
    for (let index = 0; index < this.#links.length; index += 1) {
      const link = this.#links[index];
      if (!link) continue;
      this.#start.setFromMatrixPosition(link.from.matrixWorld);
      this.#end.setFromMatrixPosition(link.to.matrixWorld).sub(this.#start);
      const length = this.#end.length();
      this.#turn.setFromUnitVectors(UP, length > 0 ? this.#end.divideScalar(length) : UP);
      links.setMatrixAt(index, this.#matrix.compose(this.#start, this.#turn, this.#scale.setScalar(length)));
    }
    this.#scale.setScalar(this.#size * 0.012);
    for (let index = 0; index < this.#joints.length; index += 1) {
      const joint = this.#joints[index];
      if (!joint) continue;
      this.#matrix.compose(this.#start.setFromMatrixPosition(joint.matrixWorld), this.#turn.identity(), this.#scale);
      joints.setMatrixAt(index, this.#matrix);
    }
    this.#scale.setScalar(this.#size * 0.08);
    for (let index = 0; index < this.#parts.length; index += 1) {
      const part = this.#parts[index];
      if (!part) continue;
      this.#matrix.copy(part.matrixWorld).scale(this.#scale);
      for (const mesh of parts) mesh.setMatrixAt(index, this.#matrix);
    }
    for (const mesh of [links, joints, ...parts]) mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of [this.#meshes.links, this.#meshes.joints, ...this.#meshes.parts]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
    this.#objects.length = 0;
  }
}

/** An octahedron from (0, 0, 0) to (0, 1, 0) that is thickest near its start, like the bones of Blender. */
function boneGeometry(): BufferGeometry {
  const [width, height] = [0.09, 0.15];
  const ring: [number, number, number][] = [
    [width, height, 0],
    [0, height, width],
    [-width, height, 0],
    [0, height, -width],
  ];
  const points: number[] = [];
  for (const [index, point] of ring.entries()) {
    const next = ring[(index + 1) % 4] ?? point;
    points.push(0, 0, 0, ...point, ...next, 0, 1, 0, ...next, ...point);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.computeVertexNormals();
  return geometry;
}
