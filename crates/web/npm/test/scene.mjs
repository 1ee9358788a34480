/** Forward kinematics of the nodes of a .glb, written apart from the library. Matrices are arrays of 16, column by column. */

/** Returns the nodes of a .glb with their names, rest poses and parents. */
export function sceneOf(glb) {
  const length = glb.readUInt32LE(12);
  const { nodes } = JSON.parse(glb.subarray(20, 20 + length).toString());
  const parents = new Map(nodes.flatMap(({ children }, parent) => (children ?? []).map((child) => [child, parent])));
  return nodes.map((node, index) => ({ ...node, parent: parents.get(index) ?? -1 }));
}

/** Returns the world positions of nodes by their names; `animated` are the sampled tracks at one time. */
export function worldPositions(scene, animated) {
  const value = (node, property, rest) => {
    const row = animated.find((row) => row.node === node.name && row.property === property);
    return row?.value ?? rest;
  };
  const matrix = (index) => {
    const node = scene[index];
    const own = node.matrix ?? placed(
      value(node, "Position", node.translation ?? [0, 0, 0]),
      value(node, "Rotation", node.rotation ?? [0, 0, 0, 1]),
      value(node, "Scale", node.scale ?? [1, 1, 1]),
    );
    return node.parent < 0 ? own : multiply(matrix(node.parent), own);
  };
  return new Map(scene.map(({ name }, index) => [name, matrix(index).slice(12, 15)]));
}

/** Returns the world positions of the nodes of a player, in their order. */
export function positionsOf(player, time) {
  const poses = new Float32Array(player.nodes.length * 10);
  player.pose(time, poses);
  const root = placed([0, 0, 0], player.root.rotation, Array(3).fill(player.root.scale));
  const matrices = [];
  for (const [node, { parent }] of player.nodes.entries()) {
    const [x, y, z, i, j, k, w, ...scale] = poses.subarray(node * 10, node * 10 + 10);
    const own = placed([x, y, z], [i, j, k, w], scale);
    matrices.push(multiply(parent < 0 ? root : matrices[parent], own));
  }
  return matrices.map((matrix) => matrix.slice(12, 15));
}

/** Returns the matrix of a translation, a rotation as quaternion, and a scale. */
function placed([x, y, z], quaternion, [sx, sy, sz]) {
  const length = Math.hypot(...quaternion);
  const [i, j, k, w] = quaternion.map((part) => part / length);
  return [
    sx * (1 - 2 * (j * j + k * k)), sx * 2 * (i * j + k * w), sx * 2 * (i * k - j * w), 0,
    sy * 2 * (i * j - k * w), sy * (1 - 2 * (i * i + k * k)), sy * 2 * (j * k + i * w), 0,
    sz * 2 * (i * k + j * w), sz * 2 * (j * k - i * w), sz * (1 - 2 * (i * i + j * j)), 0,
    x, y, z, 1,
  ];
}

/** Returns the product of two matrices. */
function multiply(a, b) {
  return a.map((_, at) => {
    const [column, row] = [Math.floor(at / 4), at % 4];
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + row] * b[column * 4 + k], 0);
  });
}
