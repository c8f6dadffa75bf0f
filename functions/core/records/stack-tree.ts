/**
 * The files of a stack by path: relative to the stack's directory, normalized, without `..`.
 * Directories are implied. Read it with `Object.hasOwn`: a path can be `__proto__`.
 */
export type StackTree = Record<string, TreeEntry>

export type TreeEntry = TreeFile | TreeLink

/** A regular file, with its content in the store; see `readFile`. */
export interface TreeFile {
  /** The reference to the stored content. */
  digest: string
  /** The SHA-256 of the content in hex. */
  sha256: string
  /** Bytes. */
  size: number
  /** The permission bits, at most 0o777. The owner is that of the directory. */
  mode: number
  /** Its content needs the permission `stacks:secrets`. */
  secret?: true
  /** Its source encrypts it, so it is secret as long as it exists, whatever files say of it. */
  decrypted?: true
}

/** A symbolic link to a path in the tree, relative to the link's directory. */
export interface TreeLink {
  link: string
}

/** Returns whether an entry is a link. */
export const isLink = (entry: TreeEntry): entry is TreeLink => 'link' in entry

/** The mode of files whose mode is unknown, and of executable ones. */
export const plainMode = 0o644
export const executableMode = 0o755
