"""The operators, menus and the file handler."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    StringProperty,
)
from bpy_extras.io_utils import ExportHelper, ImportHelper, poll_file_object_drop

import inbetween

from . import exporting, formats, names, preview, report
from .importing import ImportJob
from .preparing import Options
from .report import ERRORS, message

AXES = (
    ("auto", "Automatic", "As the rest pose of the armature shows, else those of the format"),
    ("keep", "Keep", "Keep the numbers of the file"),
    ("x,z,-y", "X, Z, -Y", "Turn: the new Y is the old Z"),
    ("x,-z,y", "X, -Z, Y", "Turn: the new Z is the old Y"),
    ("-x,y,z", "-X, Y, Z", "Mirror X"),
)

UNITS = (
    ("AUTO", "Automatic", "As the rest pose of the armature shows, else that of the format"),
    ("KEEP", "Keep", "Keep the numbers of the file"),
    ("M", "Meters", ""),
    ("CM", "Centimeters", ""),
    ("IN", "Inches", ""),
)

UNIT_NAMES: dict[str, str | None] = {"AUTO": None, "KEEP": "keep", "M": "m", "CM": "cm", "IN": "in"}
"""The units of the dialog in the words of the library."""

CHOICES = (
    "onto",
    "axes",
    "unit",
    "renames",
    "start",
    "set_rate",
    "set_range",
    "quaternions",
    "unkeyed",
    "cyclic",
    "replace",
)
"""The choices of the import dialog, in their order."""

FORMATS = [(each.id, each.name, each.summary) for each in inbetween.formats()]
"""The formats of the export dialog; Blender needs the list as long as the class lives."""


class Work:
    """The import of several files; one that fails changes nothing."""

    def __init__(self, paths: list[str], options: Options, context: Any) -> None:
        self.paths, self.options, self.context = paths, options, context
        self.results: list[Any] = []
        self.errors: list[str] = []

    def run(self) -> Iterator[float]:
        """Yields the part that is done."""
        options = self.options
        for index, path in enumerate(self.paths):
            job = ImportJob(path, options, self.context)
            try:
                for part in job.run():
                    yield (index + part) / len(self.paths)
            except ERRORS as error:
                self.errors.append(f"{Path(path).name}: {message(error)}")
                continue
            self.results.append(job.result)
            # The others go onto the armature of the first, at its rate.
            options.set_rate = False
            options.onto = "AUTO" if options.onto == "NEW" and job.result.target else options.onto


class ImportAnimation(bpy.types.Operator, ImportHelper):
    """Import animations of games onto the selected armature, a new armature, or objects"""

    bl_idname = "import_anim.inbetween"
    bl_label = "Import Game Animation"
    bl_options = {"REGISTER", "UNDO", "PRESET"}  # noqa: RUF012

    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default="", options={"HIDDEN"})
    onto: EnumProperty(
        name="Onto",
        items=(
            ("AUTO", "Selected Armature", "The active armature; a new one if none is selected"),
            ("NEW", "New Armature", "An armature of the bones of the file"),
            ("OBJECTS", "Objects", "Objects by their names, and new empties"),
        ),
    )
    renames: StringProperty(
        name="Rename Map", subtype="FILE_PATH", description="A text file of lines 'old = new'"
    )
    axes: EnumProperty(name="Axes", items=AXES)
    unit: EnumProperty(name="Unit of the File", items=UNITS)
    start: IntProperty(name="Start Frame", default=0)
    set_rate: BoolProperty(
        name="Set Frame Rate", default=True, description="Give the scene the rate of the file"
    )
    set_range: BoolProperty(
        name="Set Range", default=True, description="Give the scene the range of the clip"
    )
    quaternions: BoolProperty(
        name="Quaternions", description="Give the bones quaternions, instead of their modes"
    )
    unkeyed: EnumProperty(
        name="Bones without Keys",
        items=(
            ("REST", "At Rest", "Clear the pose first"),
            ("KEYS", "Keys at Rest", "Give each action a key of the rest pose for them"),
            ("KEEP", "Keep Pose", "Leave them as they are"),
        ),
    )
    cyclic: BoolProperty(name="Cycle", default=True, description="Repeat the curves of clips that loop")
    replace: BoolProperty(name="Replace Actions", description="Replace actions of the same names")

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Opens the file browser, or the dialog for files that were dropped."""
        self.filter_glob = ";".join(f"*{each}" for each in formats.extensions())
        if self.directory and self.files:
            return context.window_manager.invoke_props_dialog(self)
        return ImportHelper.invoke(self, context, event)

    def draw(self, context: Any) -> None:
        """Shows what the file contains and how it fits, above the choices."""
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        box = layout.box()
        for line in preview.lines(self.paths()[0], self.preview_options(), context):
            box.label(text=line)
        for name in CHOICES:
            layout.prop(self, name)

    def preview_options(self) -> Options:
        """Returns the choices, without names if the rename map cannot be read."""
        try:
            return self.choices()
        except ERRORS:
            return Options(onto=self.onto, axes=self.axes, unit=UNIT_NAMES[self.unit])

    def paths(self) -> list[str]:
        """Returns the chosen files."""
        chosen = [str(Path(self.directory) / each.name) for each in self.files if each.name]
        return chosen or [self.filepath]

    def choices(self) -> Options:
        """Returns the choices; reads the rename map."""
        renames = {}
        if self.renames:
            text = Path(bpy.path.abspath(self.renames)).read_text(encoding="utf-8-sig")
            renames = names.parse_renames(text)
        return Options(
            onto=self.onto,
            axes=self.axes,
            unit=UNIT_NAMES[self.unit],
            set_rate=self.set_rate,
            set_range=self.set_range,
            start=self.start,
            quaternions=self.quaternions,
            replace=self.replace,
            unkeyed=self.unkeyed,
            cyclic=self.cyclic,
            renames=renames,
        )

    def execute(self, context: Any) -> set[str]:
        """Imports all files; in a window, in small steps between which Esc stops."""
        try:
            options = self.choices()
        except ERRORS as error:
            self.report({"ERROR"}, f"Rename map: {error}")
            return {"CANCELLED"}
        work = Work(self.paths(), options, context)
        if bpy.app.background or context.window is None or not self.options.is_invoke:
            for _ in work.run():
                pass
            return self.finished(context, work)
        self.work, self.steps = work, work.run()
        self.timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.progress_begin(0, 1)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """Works for a moment at each tick of the timer."""
        if event.type == "ESC":
            # Closing the steps takes back the file that is being imported.
            self.steps.close()
            self.work.errors.append("Stopped by Esc")
        elif event.type != "TIMER":
            return {"RUNNING_MODAL"}
        else:
            end = time.monotonic() + 0.05
            for part in self.steps:
                context.window_manager.progress_update(part)
                if time.monotonic() > end:
                    return {"RUNNING_MODAL"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        return self.finished(context, self.work)

    def finished(self, context: Any, work: Work) -> set[str]:
        """Shows what was imported."""
        if not work.results:
            self.report({"ERROR"}, "; ".join(work.errors) or "No file was chosen")
            return {"CANCELLED"}
        report.show(self, context, *report.of_import(work.results, work.errors))
        return {"FINISHED"}


class ExportAnimation(bpy.types.Operator, ExportHelper):
    """Export the animation of the selected armature or objects to a format of games"""

    bl_idname = "export_anim.inbetween"
    bl_label = "Export Game Animation"
    bl_options = {"PRESET"}  # noqa: RUF012

    filename_ext = ""
    check_extension = None
    filter_glob: StringProperty(default="", options={"HIDDEN"})
    format: EnumProperty(name="Format", items=FORMATS)
    which: EnumProperty(
        name="Actions",
        items=(
            ("ACTIVE", "Active Action", "The action that is assigned"),
            ("ALL", "All Actions", "All actions with a slot for what is selected"),
            ("NLA", "NLA Strips", "The actions of the strips, each as one clip"),
        ),
    )
    bake: BoolProperty(
        name="Bake", description="Write the pose of every frame, with constraints, instead of keys"
    )
    rate: FloatProperty(
        name="Rate", min=0.0, max=1000.0, description="Frames per second; 0 is that of the scene"
    )
    blend: EnumProperty(
        name="Values",
        items=(
            ("IMPORTED", "As Imported", "As in the file that an action came from, if the format can say so"),
            ("ABSOLUTE", "Absolute", "Relative to the parent"),
            ("RELATIVE", "Relative", "Positions relative to the rest pose"),
            ("ADDITIVE", "Additive", "Positions and rotations relative to the rest pose"),
        ),
    )
    all_bones: BoolProperty(name="All Bones", description="Also write bones without keys, at rest")
    axes: EnumProperty(name="Axes", items=AXES)
    unit: FloatProperty(
        name="Unit",
        min=0.0,
        precision=4,
        description="Meters per unit of the rig; 0 is as imported, else that of the scene",
    )

    def check(self, _context: Any) -> bool:
        """Keeps the extension that of the format."""
        extension = formats.by_id(self.format).extensions[0]
        path = Path(self.filepath)
        if not path.name or path.suffix == f".{extension}":
            return False
        known = path.suffix.lower() in formats.extensions()
        self.filepath = str(path.with_suffix(f".{extension}") if known else f"{path}.{extension}")
        return True

    def execute(self, context: Any) -> set[str]:
        """Writes the files."""
        options = exporting.Options(
            format=self.format,
            which=self.which,
            bake=self.bake,
            rate=self.rate or None,
            blend=self.blend,
            all_bones=self.all_bones,
            axes=self.axes,
            unit=self.unit or None,
        )
        try:
            result = exporting.export(self.filepath, options, context)
        except ERRORS as error:
            self.report({"ERROR"}, message(error))
            return {"CANCELLED"}
        report.show(self, context, *report.of_export(result))
        return {"FINISHED"}


class DropAnimation(bpy.types.FileHandler):
    """Imports files that are dropped; those of glTF are Blender's own."""

    bl_idname = "IO_FH_inbetween"
    bl_label = "Game animation (inbetween)"
    bl_import_operator = ImportAnimation.bl_idname
    bl_export_operator = ExportAnimation.bl_idname
    bl_file_extensions = ";".join(
        f".{extension}" for each in inbetween.formats() if each.id != "gltf" for extension in each.extensions
    )

    @classmethod
    def poll_drop(cls, context: Any) -> bool:
        """Accepts files over a view."""
        return poll_file_object_drop(context)


CLASSES = (ImportAnimation, ExportAnimation, DropAnimation)


def _import_entry(self: Any, _context: Any) -> None:
    self.layout.operator(ImportAnimation.bl_idname, text="Game animation (inbetween)")


def _export_entry(self: Any, _context: Any) -> None:
    self.layout.operator(ExportAnimation.bl_idname, text="Game animation (inbetween)")


def register() -> None:
    """Adds the operators and menus."""
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.TOPBAR_MT_file_import.append(_import_entry)
    bpy.types.TOPBAR_MT_file_export.append(_export_entry)


def unregister() -> None:
    """Removes the operators and menus."""
    bpy.types.TOPBAR_MT_file_import.remove(_import_entry)
    bpy.types.TOPBAR_MT_file_export.remove(_export_entry)
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
