/**
 * Returns every place where two values differ, as `path: ours / theirs`. A missing value is `-`.
 */
export function differences(ours: unknown, theirs: unknown, path = ''): string[] {
  if (isObject(ours) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort()
    return keys.flatMap((key) => differences(ours[key], theirs[key], path ? `${path}.${key}` : key))
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const length = Math.max(ours.length, theirs.length)
    return Array.from({ length }, (_, index) =>
      differences(ours[index], theirs[index], `${path}[${index}]`),
    ).flat()
  }
  const [left, right] = [shown(ours), shown(theirs)]
  return left === right ? [] : [`${path || '.'}: ${left} / ${right}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => JSON.stringify(value) ?? '-'
