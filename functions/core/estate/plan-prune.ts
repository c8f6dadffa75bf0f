import {
  type EstateKey,
  type EstateRecord,
  type EstateThing,
  keyOf,
  stepSections,
} from '../records/estate.ts'

/** A thing that is there, with the time at which it was made. Milliseconds since the epoch. */
export interface DatedThing extends EstateKey {
  createdAt: number
}

/** The things of an estate that its file no longer declares, and that are there as it left them. */
export interface Undeclared {
  /** What pruning deletes, in the order in which it can be deleted. */
  doomed: EstateThing[]
  /** What stays, because another estate has it too. */
  shared: EstateThing[]
}

/**
 * Returns which things of an estate pruning would delete: what its record names, the file does not
 * declare, and no other estate has. A thing that was deleted and made again is not among them.
 *
 * @param declared keys of the things of the file
 * @param found the things that the caller sees, by key
 */
export function planPrune(
  { id, things }: Pick<EstateRecord, 'id' | 'things'>,
  declared: ReadonlySet<string>,
  found: ReadonlyMap<string, DatedThing>,
  estates: readonly Pick<EstateRecord, 'id' | 'things'>[],
): Undeclared {
  const others = estates.filter((one) => one.id !== id)
  const ofOthers = new Set(others.flatMap((one) => one.things.map(datedKey)))
  const left = things.filter((one) => !declared.has(keyOf(one)) && isStill(one, found))
  const own = left.filter((one) => !ofOthers.has(datedKey(one)))
  const stacks = new Set(own.filter(({ section }) => section === 'stacks').map(({ name }) => name))
  return {
    // The policy of a stack goes with the stack.
    doomed: own
      .filter(({ section, name }) => section !== 'stack_policies' || !stacks.has(name))
      .reverse()
      .sort((one, other) => placeOf(other) - placeOf(one)),
    shared: left.filter((one) => ofOthers.has(datedKey(one))),
  }
}

const placeOf = ({ section }: EstateKey) => stepSections.indexOf(section)

const datedKey = (thing: DatedThing) => `${keyOf(thing)} ${thing.createdAt}`

const isStill = (thing: DatedThing, found: ReadonlyMap<string, DatedThing>) =>
  found.get(keyOf(thing))?.createdAt === thing.createdAt

/**
 * Returns things without those that were deleted, or deleted and made again.
 *
 * @param isSeen whether the caller sees all things of a section: others are kept
 */
export const withoutGone = (
  things: readonly EstateThing[],
  found: ReadonlyMap<string, DatedThing>,
  isSeen: (section: EstateKey['section']) => boolean,
): EstateThing[] => things.filter((one) => !isSeen(one.section) || isStill(one, found))

/** Returns things with one that was made or taken. One that is among them keeps its time. */
export function withThing(things: readonly EstateThing[], thing: EstateThing): EstateThing[] {
  const known = things.find((one) => datedKey(one) === datedKey(thing))
  return known ? [...things] : [...withoutThing(things, thing), thing]
}

/** Returns things without one that was deleted. The policy of a stack goes with the stack. */
export const withoutThing = (things: readonly EstateThing[], gone: EstateKey): EstateThing[] =>
  things.filter((one) => keyOf(one) !== keyOf(gone) && !isPolicyOf(one, gone))

const isPolicyOf = (one: EstateKey, { section, name }: EstateKey) =>
  one.section === 'stack_policies' && section === 'stacks' && one.name === name
