import { registryOf } from '../reference/registry-address.ts'
import type { Path } from '../yaml/tree.ts'

/** The kinds of addresses and files that the Engine or its builder opens as root on its host. */
export type DialKind =
  | 'registry'
  | 'build context'
  | 'build cache'
  | 'build frontend'
  | 'log driver'
  | 'log option'
  | 'network file system'
  | 'plugin'
  | 'credential spec'
  | 'provider'

/** An address or file that is opened for a project, and the attribute that names it. */
export interface Dial {
  kind: DialKind
  /**
   * The address of a registry, as `registryOf` returns it; otherwise the value or the name of the
   * option.
   */
  target: string
  path: Path
  /**
   * The text of the list entry, by which its line is found. The index cannot be used because lists
   * of several files are merged.
   */
  near?: string
}

/** The dial of an image's registry. */
export const registryDial = (image: string, path: Path): Dial => ({
  kind: 'registry',
  target: registryOf(image),
  path,
})
