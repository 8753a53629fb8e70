"""Names of the standard library, and of a few other libraries, grouped by the effect of calling them."""


def _name_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _prefixes(text: str) -> tuple[str, ...]:
    return tuple(text.split())


IO_CALLS = _name_set("""
    builtins.open builtins.print builtins.input io.open codecs.open rich.print pprint.pprint
    traceback.print_exc json.load json.dump pickle.load pickle.dump marshal.load marshal.dump
    tomllib.load glob.glob glob.iglob gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile
    mmap.mmap sqlite3.connect webbrowser.open click.echo click.secho click.prompt click.confirm
    typer.echo typer.secho typer.prompt asyncio.open_connection asyncio.start_server
    asyncio.create_subprocess_exec linecache.getline linecache.getlines
""")
"""Functions that read, write or talk to the user."""

IO_ROOTS = _prefixes("""
    subprocess. socket. shutil. tempfile. urllib.request. requests. httpx. fileinput. getpass.
    http.client. ftplib. smtplib. select. fcntl.
""")
"""Prefixes of dotted names whose functions all do so."""

IO_METHODS = _name_set("""
    read_text write_text read_bytes write_bytes read readline readlines write writelines open flush
    truncate parse_args parse_known_args parse_intermixed_args parse_known_intermixed_args print_help
    unlink mkdir rmdir iterdir rglob touch exists
    is_file is_dir stat lstat symlink_to hardlink_to chmod recv sendall accept connect
""")
"""Methods that do so on any object: files, paths, sockets, argument parsers."""

PURE_OS = _name_set("""
    join basename dirname split splitext normpath normcase relpath commonpath commonprefix fspath isabs
    fsencode fsdecode strerror getenv urandom
""")
"""Functions in ``os`` and ``os.path`` that don't touch the file system."""

CSV_CALLS = _name_set("csv.reader csv.DictReader csv.writer csv.DictWriter")
BUFFERS = _name_set("io.StringIO io.BytesIO")
STREAMS = _name_set("sys.stdin sys.stdout sys.stderr sys.argv")
EXITS = _name_set("sys.exit os._exit os.abort builtins.exit builtins.quit")
FROM_TEXT = _name_set("splitlines split StringIO")

UNPREDICTABLE = _prefixes("""
    time. random. secrets. uuid.uuid1 uuid.uuid4 os.environ os.getenv os.urandom asyncio.sleep
    threading. multiprocessing. signal. atexit. warnings.warn datetime.datetime.now
    datetime.datetime.utcnow datetime.datetime.today datetime.date.today
""")
"""Clock, chance, environment, threads: the same arguments may give different results."""
PREDICTABLE = _name_set("random.Random time.strftime time.strptime time.mktime time.gmtime")

MUTATORS = _name_set("""
    append extend insert remove pop popitem clear sort reverse add discard update setdefault appendleft
    popleft extendleft put put_nowait writerow writerows intersection_update difference_update
    move_to_end subtract acquire release submit set
    __setitem__ __delitem__ __setattr__ __delattr__ __iadd__ __ior__
""")
"""Methods that change the object on which they are called."""

SILENT_MUTATORS = _name_set("append extend insert clear sort reverse add discard update")
"""Changing methods that return None; elsewhere methods of these names may do something else."""

CONTAINERS = _name_set("""
    builtins.dict builtins.list builtins.set builtins.bytearray collections.defaultdict collections.OrderedDict
    collections.deque collections.Counter
""")
