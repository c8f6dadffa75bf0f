/** The floors of a folder by name, from the lowest, with the folders and files on each. */
export type Floors = Readonly<Record<string, readonly string[]>>

/** The floors of `functions/core`. All of them may import the files at its top. */
export const coreFloors: Floors = {
  records: ['records'],
  streams: ['streams'],
  ports: ['ports'],
  tools: ['audit', 'leases', 'metrics', 'net', 'registries', 'tar', 'time'],
  'callers and hosts': ['access', 'container-files', 'hosts', 'secrets'],
  'owners and states': [...['acts-as', 'links', 'operations', 'owners', 'sso', 'states']],
  'stacks and images': ['hooks', 'images', 'stacks'],
  'work on stacks': [
    ...['bundle', 'deploy', 'diff', 'feeds', 'fill-lists', 'host-removal', 'publish', 'retention'],
  ],
  'larger work': ['backups', 'one-offs', 'prune-policies', 'sources', 'uploads'],
  updates: ['stack-hooks', 'stack-jobs', 'updates'],
  'of updates': ['alerts', 'apply-updates'],
  'whole service': ['adopt', 'estate', 'events', 'upgrade'],
  top: ['agent-upgrades'],
}

/** The floors of `web`. Screens stand in the frame; the shell shows them by their routes. */
export const webFloors: Floors = {
  browser: ['browser', 'host-ids.ts'],
  text: ['text'],
  data: ['data'],
  parts: ['parts'],
  frame: ['frame'],
  screens: ['screens'],
  routes: ['routes.ts'],
  shell: ['shell'],
  page: ['main.tsx'],
}

/** Returns whether a member of a folder may import another: each may import only lower floors. */
export function standsAbove(floors: Floors, member: string, target: string): boolean {
  const [from, to] = [member, target].map((one) => floorOf(floors, one))
  return member === target || (from !== undefined && to !== undefined && to < from)
}

/** Returns the number of the floor that a folder or file stands on, or undefined if it has none. */
export function floorOf(floors: Floors, member: string): number | undefined {
  const found = Object.values(floors).findIndex((members) => members.includes(member))
  return found < 0 ? undefined : found
}

/** Returns members without a floor, those that are gone, and floors that are drawn otherwise. */
export function floorOffences(floors: Floors, members: readonly string[], drawing: string) {
  const standing = Object.values(floors).flat()
  const lines = drawing.split('\n').map((line) => line.trim().split(/ {2,}/))
  const drawn = lines.map(([name, ...on]) => `${name}: ${on.join(' ')}`).reverse()
  const wanted = Object.entries(floors).map(([name, on]) => `${name}: ${on.join(' ')}`)
  return [
    ...members.filter((one) => !standing.includes(one)).map((one) => `${one} stands on no floor`),
    ...standing.filter((one) => !members.includes(one)).map((one) => `${one} is gone`),
    ...wanted.filter((one, index) => drawn[index] !== one).map((one) => `not drawn: ${one}`),
  ]
}
