/** Links on the way to one file; Linux follows as many. */
const hopsMax = 40

/**
 * Returns where a path of a tree leads once its links are followed, relative to the tree. Returns
 * undefined if it leads out of the tree or in a circle.
 *
 * @param path normalized
 * @param links path of a link → its target
 * @param visit is called with each path on the way
 */
export function followLinks(
  path: string,
  links: ReadonlyMap<string, string>,
  visit: (path: string) => void = () => {},
): string | undefined {
  if (links.size === 0) return path
  const rest = path.split('/')
  const at: string[] = []
  let hops = 0
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (at.pop() === undefined) return undefined
      continue
    }
    const target = links.get([...at, name].join('/'))
    if (target === undefined) visit(at.concat(name).join('/'))
    if (target === undefined) at.push(name)
    else if (target.startsWith('/') || ++hops > hopsMax) return undefined
    else rest.unshift(...target.split('/'))
  }
  return at.join('/')
}
