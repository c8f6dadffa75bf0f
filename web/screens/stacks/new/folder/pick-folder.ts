/** A file of a directory that the reader chose, with its path in that directory. */
export interface PickedFile {
  path: string
  file: File
}

export interface PickedFolder {
  /** The name of the directory; empty if only files were chosen. */
  name: string
  files: readonly PickedFile[]
  /** Directories that were not read, such as `.git`. */
  skipped: readonly string[]
}

/** Directories that belong to tools. They can be huge, so they are not even read. */
const ofTools = new Set(['.git', 'node_modules', '__pycache__', '.venv'])

/** Returns what was chosen in the dialog of the system. */
export function pickedFiles(list: Iterable<File>): PickedFolder {
  let name = ''
  const skipped = new Set<string>()
  const files = [...list].flatMap((file) => {
    const [root = '', ...rest] = file.webkitRelativePath.split('/')
    if (rest.length === 0) return [{ path: file.name, file }]
    name = root
    const tool = rest.findIndex((part) => ofTools.has(part))
    if (tool >= 0 && tool < rest.length - 1) {
      skipped.add(rest.slice(0, tool + 1).join('/'))
      return []
    }
    return [{ path: rest.join('/'), file }]
  })
  return { name, files, skipped: [...skipped] }
}

/** Returns what was dropped: the content of one directory, or files and directories. */
export async function droppedFiles(items: DataTransferItemList): Promise<PickedFolder> {
  // The list is empty as soon as the event is over, so all entries are taken first.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const [only] = entries
  const isOne = entries.length === 1 && only?.isDirectory
  const files: PickedFile[] = []
  const skipped: string[] = []
  const waiting: [FileSystemEntry, string][] = isOne
    ? (await entriesIn(only as FileSystemDirectoryEntry)).map((entry) => [entry, entry.name])
    : entries.map((entry) => [entry, entry.name])
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [entry, path] = next
    if (entry.isFile) files.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
    else if (ofTools.has(entry.name)) skipped.push(path)
    else {
      const below = await entriesIn(entry as FileSystemDirectoryEntry)
      for (const one of below) waiting.push([one, `${path}/${one.name}`])
    }
  }
  return { name: isOne ? (only?.name ?? '') : '', files, skipped }
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** A reader returns at most 100 entries a time, and an empty list at the end. */
async function entriesIn(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}
