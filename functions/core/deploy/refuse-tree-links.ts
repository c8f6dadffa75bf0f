import { followLinks } from '../../compose/load/tree-links.ts'
import { relativeTo } from '../../compose/paths.ts'
import { refusedByPolicy } from '../errors.ts'
import { type ReportUse, refuseUse } from '../owners/refused-use.ts'
import type { StackTree } from '../records/stack-tree.ts'
import type { HostOwned } from '../stacks/host-owned.ts'
import { linksOf } from '../stacks/texts.ts'
import type { DeploymentRequest } from './request.ts'

/**
 * Checks that the links of a stack do not lead to or through a path that a container can write: the
 * container could lead whoever follows them anywhere.
 *
 * @throws 403 if one does and the caller has no access to the host, unless `report` keeps it
 */
export function refuseTreeLinks(
  { stack, reach }: Pick<DeploymentRequest, 'stack' | 'reach'>,
  tree: StackTree,
  { paths }: HostOwned,
  report: ReportUse = refuseUse,
): void {
  const links = new Map(Object.entries(linksOf(tree)))
  if (reach === 'host' || links.size === 0) return
  const { directory, writable = [] } = stack
  const earlier = writable.flatMap((path) => relativeTo(directory, path) ?? [])
  const owned = [...paths, ...earlier]
  const isWritable = (path: string) =>
    writable.includes(directory) || owned.some((one) => `${path}/`.startsWith(`${one}/`))
  for (const [path, target] of links) {
    let seen: string | undefined
    const end = followLinks(path, links, (one) => {
      if (isWritable(one)) seen ??= one
    })
    // A container can replace a link in its own directory anyway.
    if (isWritable(path) || (end !== undefined && seen === undefined)) continue
    const why =
      seen === undefined ? 'which is not in the stack' : `and containers can write ${seen}`
    const text = `${path}: the link leads to ${target}, ${why}: this needs the permission stacks:privileged`
    report(linkUse(path, target), refusedByPolicy(text))
  }
}

/** Returns the name by which a link is known, and accepted. A link to elsewhere is another use. */
export const linkUse = (path: string, target: string) => ({
  name: `link:${path}`,
  key: `link:${path} -> ${target}`,
})
