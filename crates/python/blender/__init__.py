"""The Blender extension: imports and exports animation files of games."""


def register() -> None:
    """Adds the operators and menus."""
    from . import operators

    operators.register()


def unregister() -> None:
    """Removes the operators and menus."""
    from . import operators

    operators.unregister()
