"""``sudoku-jit cache``: the folder of compiled kernels."""

import time

import typer

app = typer.Typer(help="The compiled kernels kept on disk.", no_args_is_help=True)


@app.command("info")
def info() -> int:
    """Print where the cache is and what it holds."""
    from sudoku_jit import caching

    now = caching.info()
    print(f"folder   {now.folder or f'none: {now.root} cannot be written'}")
    print(f"kernels  {now.kernels}")
    print(f"bytes    {now.size} in all versions")
    return 0


@app.command("clear")
def clear() -> int:
    """Delete it; the next run compiles again."""
    from sudoku_jit import caching

    before = caching.clear()
    print(f"deleted {before.size} bytes in {before.root}")
    return 0


@app.command("warm")
def warm() -> int:
    """Compile every kernel now."""
    from sudoku_jit import caching

    start = time.perf_counter()
    caching.warm()
    print(f"{caching.info().kernels} kernels ready in {time.perf_counter() - start:.1f} s")
    return 0
