/** What acts on an attribute. */
export type Deriver = 'Engine' | 'builder' | 'kernel' | 'registry' | 'this service' | 'nothing'

/**
 * Attributes of compose files from which the same is derived and which the same callers may use.
 * `allowed` and `refused` are samples, as YAML: each attribute stands in one of each kind that its
 * group has. Tests load them all.
 */
export type AttributeGroup = {
  /** Paths in the schema of compose files, below the path of their section. */
  attributes: readonly string[]
  /** What follows from them, and what an attacker could make of that. */
  derived: string
  by: Deriver
  /** Tests of the rule beyond the samples: `file › a part of the title`. */
  tests?: readonly string[]
} & Access

/** Who may use a group's attributes. */
type Access =
  | { who: 'anyone' | 'no effect'; allowed: readonly string[] }
  /** Callers with the permission `stacks:privileged`. */
  | { who: 'privileged'; refused: readonly string[] }
  /** It depends on the value, as `values` says; all others are for `stacks:privileged`. */
  | { who: 'by value'; values: string; allowed: readonly string[]; refused: readonly string[] }
  /** Not supported: a deploy is a 422 for all. */
  | { who: 'unsupported'; refused: readonly string[] }

/** The attributes of one part of a compose file. */
export interface Section {
  title: string
  /** Where its attributes and samples stand: in a service, or at the top of the file. */
  at: 'services.*' | ''
  groups: readonly AttributeGroup[]
}
