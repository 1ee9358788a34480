/** Animations made for pictures and measurements: a person who walks, and a chain of many bones. */

/** Bones of a person in centimeters: name, offset from the parent, and the swing about x and z in degrees, with its phase. */
const PERSON = ["Hips", [0, 92, 0], [2, 3, 0], [
  ["Spine", [0, 12, 0], [3, 2, 0.25], [
    ["Chest", [0, 16, 0], [2, 3, 0.5], [
      ["Neck", [0, 18, 0], [4, 0, 0.5], [["Head", [0, 10, 1], [5, 2, 0], [["HeadTop", [0, 18, 0], [0, 0, 0], []]]]]],
      ...["Left", "Right"].map((side, index) => {
        const [out, phase] = [index === 0 ? 1 : -1, index === 0 ? 0.5 : 0];
        return [`${side}Shoulder`, [4 * out, 14, 0], [2, 2, phase], [
          [`${side}Arm`, [13 * out, -2, 0], [28, 4, phase], [
            [`${side}ForeArm`, [4 * out, -27, 1], [14, 0, phase], [[`${side}Hand`, [2 * out, -25, 3], [8, 0, phase], []]]],
          ]],
        ]];
      }),
    ]],
  ]],
  ...["Left", "Right"].map((side, index) => {
    const [out, phase] = [index === 0 ? 1 : -1, index === 0 ? 0 : 0.5];
    return [`${side}UpLeg`, [9 * out, -4, 0], [30, 2, phase], [
      [`${side}Leg`, [0, -42, 1], [26, 0, phase + 0.15], [
        [`${side}Foot`, [0, -42, -2], [14, 0, phase + 0.3], [[`${side}Toe`, [0, -5, 14], [4, 0, phase], []]]],
      ]],
    ]];
  }),
]];

/** Returns a .bvh of a person who walks. */
export function walkingPerson({ frames = 61, rate = 30 } = {}) {
  const swings = [];
  const joint = ([name, offset, swing, children], depth) => {
    const indent = "\t".repeat(depth);
    swings.push(swing);
    const kind = depth === 0 ? "ROOT" : "JOINT";
    const channels = depth === 0 ? "6 Xposition Yposition Zposition" : "3";
    const inner = children.length > 0
      ? children.map((child) => joint(child, depth + 1)).join("")
      : `${indent}\tEnd Site\n${indent}\t{\n${indent}\t\tOFFSET 0 2 0\n${indent}\t}\n`;
    return `${indent}${kind} ${name}\n${indent}{\n${indent}\tOFFSET ${(depth === 0 ? [0, 0, 0] : offset).join(" ")}\n` +
      `${indent}\tCHANNELS ${channels} Zrotation Xrotation Yrotation\n${inner}${indent}}\n`;
  };
  const hierarchy = joint(PERSON, 0);
  const rows = Array.from({ length: frames }, (_, frame) => {
    const turn = (2 * Math.PI * frame) / rate;
    const angles = swings.flatMap(([x, z, phase], index) => {
      const at = turn + 2 * Math.PI * phase;
      return [z * Math.sin(at), x * Math.sin(at), index === 0 ? 6 * Math.sin(at) : 0];
    });
    const place = [3 * Math.sin(turn), PERSON[1][1] + 2 * Math.cos(2 * turn), (110 * frame) / rate];
    return [...place, ...angles].map((value) => value.toFixed(4)).join(" ");
  });
  return text(hierarchy, rows, rate);
}

/** Returns a .bvh of branches of bones that all turn. */
export function manyBones({ bones = 200, frames = 121, rate = 30 } = {}) {
  const branch = 10;
  let hierarchy = "ROOT b0\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
  for (let bone = 1; bone < bones; bone += branch) {
    const length = Math.min(branch, bones - bone);
    const angle = (2 * Math.PI * bone) / bones;
    for (let at = 0; at < length; at += 1) {
      const offset = at === 0 ? [20 * Math.cos(angle), 0, 20 * Math.sin(angle)] : [0, 8, 0];
      hierarchy += `JOINT b${bone + at}\n{\nOFFSET ${offset.map((each) => each.toFixed(4)).join(" ")}\n` +
        "CHANNELS 3 Zrotation Xrotation Yrotation\n";
    }
    hierarchy += `End Site\n{\nOFFSET 0 8 0\n}\n${"}\n".repeat(length)}`;
  }
  const rows = Array.from({ length: frames }, (_, frame) =>
    Array.from({ length: bones * 3 }, (_, index) => (10 * Math.sin(frame / 10 + index)).toFixed(3)).join(" "),
  );
  return text(`${hierarchy}}\n`, rows, rate);
}

function text(hierarchy, rows, rate) {
  const head = `MOTION\nFrames: ${rows.length}\nFrame Time: ${(1 / rate).toFixed(7)}`;
  return Buffer.from(`HIERARCHY\n${hierarchy}${head}\n${rows.join("\n")}\n`);
}
