/** What is chosen in a list, by the ids of its rows. */
export interface Selection {
  ids: readonly string[]
  choose(ids: readonly string[]): void
}

interface Press {
  /** The row whose box was pressed. */
  id: string
  /** The row that was pressed before it, if all rows between the two follow. */
  from: string | undefined
}

/** Returns what is chosen after a press on the box of a row. */
export function chosenAfter(
  chosen: readonly string[],
  shown: readonly string[],
  { id, from }: Press,
): readonly string[] {
  const pressed = rangeOf(shown, from ?? id, id)
  return chosen.includes(id) ? without(chosen, pressed) : withAll(chosen, pressed)
}

/** Returns the ids from one to another, in either direction; if one is not shown, the other. */
function rangeOf(shown: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [shown.indexOf(from), shown.indexOf(to)]
  if (one < 0 || other < 0) return [to]
  return shown.slice(Math.min(one, other), Math.max(one, other) + 1)
}

export const withAll = (chosen: readonly string[], ids: readonly string[]): readonly string[] => [
  ...new Set([...chosen, ...ids]),
]

export function without(chosen: readonly string[], ids: readonly string[]): readonly string[] {
  const gone = new Set(ids)
  return chosen.filter((id) => !gone.has(id))
}
