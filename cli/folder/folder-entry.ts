/** A file or link to send. `path` is relative to the project's directory; sizes are in bytes. */
export type FolderEntry =
  | { path: string; source: string; size: number; mode: number; origin: Origin }
  | { path: string; link: string; origin: Origin }

/** Why an entry is sent. The entries of one origin are shown together. */
export interface Origin {
  /** The directory that it comes from; undefined for a single file. */
  directory?: string
  /** For example `build context of api`. */
  why: string
}
