type Result = Readonly<Record<string, unknown>>

/** The largest result of an operation that is kept, as JSON. Bytes. */
const resultMax = 128 * 1024

/**
 * Returns a result as it is kept. If it is too large, each of its lists is cut to the same length;
 * if that is not enough, it is left out.
 */
export function boundResult(result: Result): { result: Result | null; isResultCut: boolean } {
  if (fits(result)) return { result, isResultCut: false }
  let longest = Math.max(0, ...Object.values(result).map(lengthOf))
  while (longest > 0) {
    longest = Math.floor(longest / 2)
    const cut = withLists(result, longest)
    if (fits(cut)) return { result: cut, isResultCut: true }
  }
  return { result: null, isResultCut: true }
}

const fits = (result: Result) => Buffer.byteLength(JSON.stringify(result)) <= resultMax

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0)

const withLists = (result: Result, length: number): Result =>
  Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, length) : value,
    ]),
  )
