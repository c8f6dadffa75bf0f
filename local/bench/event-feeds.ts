import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { engine, forEachConcurrently } from './engine.ts'
import { container, openSocket, stalled } from './feed-clients.ts'
import { median, quantile, short, sized, table } from './numbers.ts'
import { cpuSeconds, residentMebibytes } from './process.ts'
import type { Service } from './service.ts'

const followers = sized(1000, 50)
const stalledOnes = sized(100, 10)
const seconds = sized(20, 5)
const perSecond = 20

/** Measures many followers of events, alone and beside some that read nothing. */
export async function eventFeeds(service: Service): Promise<string> {
  const id = await container('sleep 10000')
  const rows = [await measured('no followers', service, id, [])]
  const open: WebSocket[] = []
  const late: number[] = []
  let came = 0
  const wanted = Array.from({ length: followers }, (_, index) => index)
  await forEachConcurrently(wanted, async () => {
    const socket = await openSocket(service, '/ws/events')
    socket.on('message', (data) => {
      came += 1
      if (came % 97 === 0) late.push(Date.now() - Date.parse(JSON.parse(String(data)).time))
    })
    open.push(socket)
  })
  rows.push(await measured(`${followers} followers`, service, id, late))
  const rude: Socket[] = []
  for (let count = 0; count < stalledOnes; count += 1) {
    rude.push(await stalled(service, '/ws/events'))
  }
  rows.push(
    await measured(`${followers} followers, ${stalledOnes} of them stalled`, service, id, late),
  )
  const lost = open.filter(({ readyState, OPEN }) => readyState !== OPEN).length
  for (const socket of open) socket.terminate()
  for (const socket of rude) socket.destroy()
  if (lost > 0) throw new Error(`${lost} followers lost their feed`)
  return table(['', 'service CPU %', 'service MiB', 'an event median ms', 'p99 ms'], rows)
}

/** Renames a container repeatedly. Each rename is an event. */
async function measured(
  name: string,
  service: Service,
  id: string,
  late: number[],
): Promise<string[]> {
  late.length = 0
  const before = cpuSeconds(service.pid)
  const begin = performance.now()
  for (let count = 0; count < seconds * perSecond; count += 1) {
    await engine('POST', `/containers/${id}/rename?name=container-stacks-bench-${begin}-${count}`)
    await pause(Math.max(0, begin + ((count + 1) * 1000) / perSecond - performance.now()))
  }
  const used = cpuSeconds(service.pid) - before
  const cpu = (used / ((performance.now() - begin) / 1000)) * 100
  const memory = residentMebibytes(service.pid)
  await pause(1000)
  return [name, short(cpu), short(memory), short(median(late)), short(quantile(late, 0.99))]
}
