import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { socketPath } from './engine.ts'
import { container, follow } from './feed-clients.ts'
import { short, table } from './numbers.ts'
import { cpuSeconds, residentMebibytes } from './process.ts'
import type { Service } from './service.ts'

const followers = 200
const seconds = 10

/** Measures processor time and memory for many followers of one container. */
export async function feedLoad(service: Service): Promise<string> {
  const id = await container(
    'while :; do for i in 1 2 3 4 5 6 7 8 9 10; do echo "a line of a log that has followers $i"; done; usleep 10000; done',
  )
  const daemon = daemonPid()
  const measured = async (open: () => Promise<() => void>) => {
    const close = await open()
    await pause(1000)
    const before = [cpuSeconds(service.pid), daemon ? cpuSeconds(daemon) : Number.NaN]
    await pause(seconds * 1000)
    const after = [cpuSeconds(service.pid), daemon ? cpuSeconds(daemon) : Number.NaN]
    const memory = residentMebibytes(service.pid)
    close()
    await pause(1000)
    const share = (at: number) => (((after[at] ?? 0) - (before[at] ?? 0)) / seconds) * 100
    return { service: share(0), daemon: share(1), memory }
  }
  const alone = await measured(async () => () => {})
  const feeds = await measured(async () => {
    const opened = Array.from({ length: followers }, () =>
      follow(service, `/ws/logs/${id}?tail=0`, () => {}),
    )
    const sockets = await Promise.all(opened)
    return () => {
      for (const socket of sockets) socket.terminate()
    }
  })
  const streams = await measured(async () => {
    const opened = Array.from({ length: followers }, () => engineLog(id))
    return () => {
      for (const stream of opened) stream.destroy()
    }
  })
  const row = (name: string, one: Awaited<ReturnType<typeof measured>>, showsService: boolean) => [
    name,
    showsService ? short(one.service) : '–',
    short(one.daemon),
    showsService ? short(one.memory) : '–',
  ]
  return table(
    ['', 'service CPU %', 'dockerd CPU %', 'service MiB'],
    [
      row('no followers', alone, true),
      row(`${followers} feeds`, feeds, true),
      row(`${followers} streams of the Engine`, streams, false),
    ],
  )
}

function engineLog(id: string) {
  const path = `/containers/${id}/logs?stdout=1&follow=1&tail=0&timestamps=1`
  const call = request({ socketPath, path }, (response) => response.resume())
  call.on('error', () => {})
  call.end()
  return call
}

/** Returns the process ID of dockerd, or undefined if it is not visible on this machine. */
function daemonPid(): number | undefined {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'dockerd'
    } catch {
      return false
    }
  })
  return found ? Number(found) : undefined
}
