import type { Client, Reply } from '../../api/client.ts'
import type { HostList, Volume } from '../../api/types.ts'
import { command } from '../../command.ts'
import type { Printer } from '../../output/print.ts'
import { bytes, moment } from '../../output/units.ts'
import { hostFor } from '../../resolve/host.ts'
import { awayIn, noteAway, showHostList } from '../../resolve/host-list.ts'
import { bytesIn, readVolumeSizes } from '../../resolve/volume-sizes.ts'

type Volumes = Reply<HostList<Volume>>

const columns = [
  { head: 'NAME', text: (one: Volume) => one.name },
  { head: 'DRIVER', text: (one: Volume) => one.driver },
  { head: 'STACK', text: (one: Volume) => one.stack },
  { head: 'CREATED', text: (one: Volume) => moment(one.created_at) },
]

export default command({
  list: true,
  flags: { '--size': 'Also show how much data each holds, which can take a minute' },
  examples: ['cli volumes list --size --host all'],
  async run({ flags, client, print }) {
    const service = await client()
    const host = await hostFor(service, flags.host)
    const reply = await service.get('/volumes', { query: { host } })
    if (flags.size) await showSized(service, print, reply, host)
    else await showHostList(service, print, reply, columns)
  },
})

/** Prints volumes with a column of their sizes, `bytes` in JSON. */
async function showSized(service: Client, print: Printer, reply: Volumes, host?: string) {
  const sizes = await readVolumeSizes(service, host)
  const bytesOf = bytesIn(sizes.value)
  const sized = (volumes: Volume[]) => volumes.map((one) => ({ ...one, bytes: bytesOf(one) }))
  const list = reply.value
  const value = 'items' in list ? { ...list, items: sized(list.items) } : sized(list)
  const answer = { ...reply.answer, text: JSON.stringify(value) }
  await showHostList(service, print, { value, answer }, [
    ...columns,
    { head: 'SIZE', text: (one) => sizeText(bytesOf(one)) },
  ])
  const named = awayIn(list).map(({ host_id }) => host_id)
  const late = awayIn(sizes.value).filter(({ host_id }) => !named.includes(host_id))
  await noteAway(service, print, late, 'its sizes are missing: ')
}

const sizeText = (size: number | null) => (size === null ? 'unknown' : bytes(size))
