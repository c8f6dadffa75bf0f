import type { Path, Patterns } from '../yaml/tree.ts'
import type { AttributeGroup } from './attributes/attribute.ts'
import { attributeTree } from './attributes/table.ts'
import type { Finding } from './finding.ts'

type Groups = Patterns<AttributeGroup>

/**
 * Yields the attributes of a resolved model that the table of attributes does not list or lists as
 * privileged, whatever other rules say. A new attribute is refused until a rule allows it.
 */
export function* unlistedReach(
  model: object,
  path: Path = [],
  groups: Groups = attributeTree,
): Generator<Finding> {
  for (const [key, value] of Object.entries(model)) {
    // An attribute without a value, such as `command: null`, sets nothing.
    if (value === undefined || value === null) continue
    const at = [...path, Array.isArray(model) ? Number(key) : key]
    // In the model only `blkio_config` has capitalized names.
    const below = groups.at(key) ?? groups.at(key.toLowerCase())
    if (below) yield* listedReach(value, at, below)
    else yield { path: at, detail: 'an attribute that no rule allows' }
  }
}

function* listedReach(value: unknown, at: Path, groups: Groups): Generator<Finding> {
  if (groups.rule?.who === 'privileged') yield { path: at, detail: groups.rule.derived }
  if (groups.isEnd() || typeof value !== 'object' || value === null) return
  yield* unlistedReach(value, at, groups)
}
