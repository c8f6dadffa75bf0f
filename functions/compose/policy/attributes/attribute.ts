/** The component that acts on an attribute. */
export type Deriver = 'Engine' | 'builder' | 'kernel' | 'registry' | 'this service' | 'nothing'

/**
 * Attributes of compose files that have the same effect and that the same callers may use.
 * `allowed` and `refused` are samples in YAML. Each attribute occurs in at least one sample of each
 * kind that its group has. Tests load all samples.
 */
export type AttributeGroup = {
  /** Paths in the schema of compose files, below the path of their section. */
  attributes: readonly string[]
  /** The effect of the attributes, and how an attacker could abuse it. */
  derived: string
  by: Deriver
  /** Tests of the rule in addition to the samples: `file › part of the title`. */
  tests?: readonly string[]
} & Access

/** The callers that may use a group's attributes. */
type Access =
  | { who: 'anyone' | 'no effect'; allowed: readonly string[] }
  /** Callers with the permission `stacks:privileged`. */
  | { who: 'privileged'; refused: readonly string[] }
  /** Depends on the value, as `values` describes; other values need `stacks:privileged`. */
  | { who: 'by value'; values: string; allowed: readonly string[]; refused: readonly string[] }
  /** Not supported: a deploy fails with 422 for any caller. */
  | { who: 'unsupported'; refused: readonly string[] }

/** The attributes of one part of a compose file. */
export interface Section {
  title: string
  /** The path of its attributes and samples: in a service, or at the top level of the file. */
  at: 'services.*' | ''
  groups: readonly AttributeGroup[]
}
