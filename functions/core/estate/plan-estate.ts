import { isDeepStrictEqual } from 'node:util'
import {
  type EstateAction,
  type EstateKey,
  type EstateSection,
  keyOf,
  stepSections,
} from '../records/estate.ts'

export {
  type EstateAction,
  type EstateKey,
  type EstateSection,
  estateSections,
  type FileSection,
  keyOf,
} from '../records/estate.ts'

/** A thing that a service has. A secret is `{from}` if it is stored. */
export interface PresentThing extends EstateKey {
  fields: ReadonlyMap<string, unknown>
}

/** A thing that a file declares. Fields that the file leaves out are missing or undefined. */
export interface WantedThing extends PresentThing {
  /** Fields that cannot be changed later. */
  fixed: readonly string[]
  refersTo: readonly Reference[]
}

/** A field that names another thing. */
export interface Reference extends EstateKey {
  field: string
}

export interface PlannedStep extends EstateKey {
  action: EstateAction
  /** Names of the fields that change, in the order of the form. Empty unless `change`. */
  fields: string[]
  /** Why the step would fail, a sentence each. */
  problems: string[]
}

/**
 * Returns what applying a file would do, a step for each thing that it declares, in the order in
 * which they can be done.
 *
 * @param unseen sections whose things the caller may not see: nothing is known of them
 */
export function planEstate(
  wanted: readonly WantedThing[],
  present: readonly PresentThing[],
  unseen: ReadonlySet<EstateSection>,
): PlannedStep[] {
  const found = new Map(present.map((one) => [keyOf(one), one]))
  const declared = new Set(wanted.map(keyOf))
  const mayExist = (one: EstateKey) =>
    declared.has(keyOf(one)) || found.has(keyOf(one)) || unseen.has(one.section)
  const steps = wanted.map((thing): PlannedStep => {
    const { section, name } = thing
    const isUnseen = unseen.has(section)
    const before = isUnseen ? undefined : found.get(keyOf(thing))
    const fields = before ? changedFields(thing, before) : []
    const missing = thing.refersTo.filter((one) => !mayExist(one))
    const problems = [
      ...missing.map((one) => `${one.field}: ${one.name} is neither in the file nor there`),
      ...fields.filter((field) => thing.fixed.includes(field)).map(cannotChange),
    ]
    return { section, name, action: actionOf(isUnseen, before, fields), fields, problems }
  })
  return steps.sort((one, other) => placeOf(one) - placeOf(other))
}

function actionOf(
  isUnseen: boolean,
  before: PresentThing | undefined,
  fields: readonly string[],
): EstateAction {
  if (isUnseen) return 'unknown'
  if (!before) return 'create'
  return fields.length > 0 ? 'change' : 'nothing'
}

const placeOf = ({ section }: EstateKey) => stepSections.indexOf(section)

const cannotChange = (field: string) =>
  `${field}: cannot be changed: give it another name, or delete the one that is there`

const changedFields = (wanted: WantedThing, before: PresentThing): string[] =>
  [...wanted.fields]
    .filter(([field, value]) => value !== undefined && !isSame(value, before.fields.get(field)))
    .map(([field]) => field)

/** A secret is not compared: it is the same if one is stored. Null and missing are the same. */
function isSame(wanted: unknown, present: unknown): boolean {
  if (isSecret(wanted)) return present !== undefined && present !== null
  if (!isObject(wanted) || !isObject(present)) {
    return isDeepStrictEqual(wanted ?? undefined, present ?? undefined)
  }
  const [is, was] = [new Map(Object.entries(wanted)), new Map(Object.entries(present))]
  return [...new Set([...is.keys(), ...was.keys()])].every((name) =>
    isSame(is.get(name), was.get(name)),
  )
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSecret = (value: unknown): boolean =>
  isObject(value) && 'from' in value && Object.keys(value).length === 1
