/* tslint:disable */
/* eslint-disable */

/**
 * The content of a file, or what edits made of it.
 */
export class Document {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns a copy, which costs memory; a rig is given away to its player.
     */
    copy(): Document;
    /**
     * Returns the document after an edit, given as JSON.
     *
     * # Errors
     *
     * If the edit is not possible.
     */
    edit(edit: string): Document;
    /**
     * Returns whether the numbers of a track need double precision.
     *
     * # Errors
     *
     * Fails like [`width`](Self::width).
     */
    isWide(clip: number, track: number): boolean;
    /**
     * Prepares a clip for playing: on its own skeleton, or on that of a model.
     *
     * # Errors
     *
     * If there is no such clip, or the model has none of its nodes.
     */
    player(clip: number, rig?: Document | null): Player;
    /**
     * Draws a page of curves.
     *
     * # Errors
     *
     * If the JSON has a wrong value, such as a pattern that is none.
     */
    plot(settings: string): string;
    /**
     * Returns the values of a track at some times in seconds, as the clip plays them.
     *
     * # Errors
     *
     * Fails like [`width`](Self::width), or if the track has no keys.
     */
    sample(clip: number, track: number, times: Float64Array | number[]): Float64Array;
    /**
     * Returns the times of the keys of a track in seconds.
     *
     * # Errors
     *
     * Fails like [`width`](Self::width).
     */
    times(clip: number, track: number): Float64Array;
    /**
     * Returns the numbers of the values of a track.
     *
     * # Errors
     *
     * Fails like [`width`](Self::width).
     */
    values(clip: number, track: number): Float64Array;
    /**
     * Returns the number of numbers of a value of a track.
     *
     * # Errors
     *
     * If there is no such track, or its values are texts.
     */
    width(clip: number, track: number): number;
    /**
     * Writes the document in a format.
     *
     * # Errors
     *
     * If the format cannot hold it, or strict writing loses something.
     */
    write(to: string, settings: string): Written;
    /**
     * Returns the clips with their tracks and markers.
     */
    readonly clips: string;
    /**
     * Returns the findings of reading and of edits.
     */
    readonly findings: string;
    /**
     * Returns the id of the format that was read.
     */
    readonly format: string;
}

/**
 * The bytes of a file, and how they are read.
 */
export class File {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds a file beside it, by the name by which it refers to it.
     */
    addNeighbor(name: string, bytes: Uint8Array | number[]): void;
    /**
     * Returns what is wrong with it.
     *
     * # Errors
     *
     * If it is too far from a file of its format to be checked.
     */
    check(): string;
    /**
     * Returns the id of its format.
     *
     * # Errors
     *
     * If no format recognizes the bytes.
     */
    detect(): string;
    /**
     * Fixes what can be fixed.
     *
     * # Errors
     *
     * Fails like [`check`](Self::check).
     */
    fix(): Fixed;
    /**
     * Returns what it contains, without its keys.
     *
     * # Errors
     *
     * If it is not a file of its format.
     */
    inspect(): string;
    /**
     * Takes the bytes of a file and JSON of how they are read.
     *
     * # Errors
     *
     * If the JSON has a wrong value.
     */
    constructor(bytes: Uint8Array | number[], settings: string);
    /**
     * Reads all of it.
     *
     * # Errors
     *
     * If it is not a file of its format, or exceeds the limits.
     */
    read(): Document;
}

/**
 * A fixed file.
 */
export class Fixed {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the bytes of the file, once.
     */
    takeBytes(): Uint8Array;
    /**
     * Returns the number of changes.
     */
    readonly edits: number;
    /**
     * Returns what is left.
     */
    readonly findings: string;
}

/**
 * A clip that plays on nodes, with y up and lengths in meters below its root.
 */
export class Player {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the poses of all nodes at a time in seconds: ten numbers each, relative to the parent.
     */
    pose(time: number): Float32Array;
    /**
     * Returns the seconds of the clip.
     */
    readonly duration: number;
    /**
     * Returns what was changed to play it.
     */
    readonly findings: string;
    /**
     * Returns its frames per second.
     */
    readonly frameRate: number | undefined;
    /**
     * Returns whether it repeats.
     */
    readonly looping: boolean;
    /**
     * Returns the nodes: their names, parents, and whether they are bones.
     */
    readonly nodes: string;
    /**
     * Returns the rotation x y z w and the factor of a node above all nodes, which makes y up and
     * lengths meters. A model has this node already.
     */
    readonly root: Float64Array;
}

/**
 * A file that was written.
 */
export class Written {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the bytes of the file, once.
     */
    takeBytes(): Uint8Array;
    /**
     * Returns what was changed, lost or noticed.
     */
    readonly findings: string;
    /**
     * Returns the id of its format.
     */
    readonly to: string;
}

/**
 * Returns what a code of findings means.
 *
 * # Errors
 *
 * If there is no such code; the error names similar ones.
 */
export function explain(code: string): string;

/**
 * Returns the known formats.
 */
export function formats(): string;

/**
 * Returns the programs with wishes of their own.
 */
export function profiles(): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_document_free: (a: number, b: number) => void;
    readonly __wbg_file_free: (a: number, b: number) => void;
    readonly __wbg_fixed_free: (a: number, b: number) => void;
    readonly __wbg_player_free: (a: number, b: number) => void;
    readonly __wbg_written_free: (a: number, b: number) => void;
    readonly document_clips: (a: number) => [number, number];
    readonly document_copy: (a: number) => number;
    readonly document_edit: (a: number, b: number, c: number) => [number, number, number];
    readonly document_findings: (a: number) => [number, number];
    readonly document_format: (a: number) => [number, number];
    readonly document_isWide: (a: number, b: number, c: number) => [number, number, number];
    readonly document_player: (a: number, b: number, c: number) => [number, number, number];
    readonly document_plot: (a: number, b: number, c: number) => [number, number, number, number];
    readonly document_sample: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly document_times: (a: number, b: number, c: number) => [number, number, number, number];
    readonly document_values: (a: number, b: number, c: number) => [number, number, number, number];
    readonly document_width: (a: number, b: number, c: number) => [number, number, number];
    readonly document_write: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly explain: (a: number, b: number) => [number, number, number, number];
    readonly file_addNeighbor: (a: number, b: number, c: number, d: number, e: number) => void;
    readonly file_check: (a: number) => [number, number, number, number];
    readonly file_detect: (a: number) => [number, number, number, number];
    readonly file_fix: (a: number) => [number, number, number];
    readonly file_inspect: (a: number) => [number, number, number, number];
    readonly file_new: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly file_read: (a: number) => [number, number, number];
    readonly fixed_edits: (a: number) => number;
    readonly fixed_findings: (a: number) => [number, number];
    readonly fixed_takeBytes: (a: number) => [number, number];
    readonly formats: () => [number, number];
    readonly player_duration: (a: number) => number;
    readonly player_findings: (a: number) => [number, number];
    readonly player_frameRate: (a: number) => [number, number];
    readonly player_looping: (a: number) => number;
    readonly player_nodes: (a: number) => [number, number];
    readonly player_pose: (a: number, b: number) => [number, number];
    readonly player_root: (a: number) => [number, number];
    readonly profiles: () => [number, number];
    readonly written_findings: (a: number) => [number, number];
    readonly written_takeBytes: (a: number) => [number, number];
    readonly written_to: (a: number) => [number, number];
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
