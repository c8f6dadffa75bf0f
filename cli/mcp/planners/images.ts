import { optionalAt, type Planner, textAt } from '../plan.ts'

/** The image that would be pulled. What its registry has is known only then. */
export const planPull: Planner = async (planning) => {
  const host = optionalAt(planning, 'host') ?? 'local'
  const name = textAt(planning, 'image')
  const row = { action: 'pull', kind: 'image', name, reason: `onto host ${host}` }
  return { rows: [row], pinned: {}, state: null }
}

/** The images that a prune would remove, as its dry run says. */
export const planPrune: Planner = async (planning) => {
  const { client, given, signal } = planning
  const all = given.all === undefined ? undefined : String(given.all) === 'true'
  const query = { host: optionalAt(planning, 'host'), all, dry_run: true }
  const { value: found } = await client.post('/images/prune', { query, signal })
  const rows = found.images.map(({ id, tags, size }) => ({
    action: 'delete',
    kind: 'image',
    name: tags.length > 0 ? tags.join(', ') : id,
    reason: `unused, ${size} bytes`,
  }))
  return { rows, pinned: {}, state: found.images.map(({ id }) => id) }
}
