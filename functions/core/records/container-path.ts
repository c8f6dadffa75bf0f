/** What a path in a container is. A link is not followed. */
export interface ContainerPath {
  kind: 'directory' | 'file' | 'link' | 'other'
  /** Bytes. */
  size: number
  /** The permission bits. */
  mode: number
  /** The target of a link, as an absolute path in the container; empty for others. */
  linkTarget: string
}
