import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { enrolInProcess, startAgent, untilHostStatus } from '../agent.ts'
import { api, type Place, type Running, type World } from '../service.ts'
import { fillStore } from './fill-store.ts'

/** Names as macOS writes them: the dots of letters are characters of their own. */
const decomposed = (text: string) => text.normalize('NFD')

/** The hosts with agents, on the Engine of this machine. The stack of an old one has a history. */
const hosts = [
  { name: decomposed('Müllraum NAS'), tags: ['attic'], stack: 'zz-keller', isOld: true },
  { name: '開発機', tags: ['lab'], stack: 'zz-labor', isOld: false },
]

const password = 'ein langes Passwört'.normalize('NFD')
const users = [
  { username: decomposed('Jürgen Müller'), role: 'zz-caretaker', scope_tags: ['attic'] },
  { username: '田中さん', role: 'viewer', scope_tags: ['attic', 'lab'] },
]

const compose = 'services:\n  web:\n    image: busybox:latest\n    command: sleep 3600\n'

/**
 * A homelab as people have them: a directory with a space and an umlaut, two hosts with agents, a
 * role of their own, accounts that reach some hosts only, stacks, and a history.
 */
export const livedInWorld: World = {
  directoryIn(root) {
    const directory = join(root, decomposed('Mein Stäcks'))
    mkdirSync(directory)
    return directory
  },
  async fill(place, running, token) {
    const send: Send = async (method, path, body) => {
      const { status, json } = await api(running, method, path, { token, body })
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`)
      return json
    }
    await Promise.all([
      addPeople(send),
      ...hosts.map((one) => addHost(one, { place, running, token }, send)),
    ])
  },
}

type Send = (method: string, path: string, body: unknown) => Promise<{ id: string }>

interface Admin {
  place: Place
  running: Running
  token: string
}

/** Adds a host with a stack that has a history. Returns when its agent is connected. */
async function addHost(
  { name, tags, stack, isOld }: (typeof hosts)[number],
  { place, running, token }: Admin,
  send: Send,
) {
  const { id, directory } = await enrolInProcess(place, running, token, name, tags)
  startAgent(place, directory)
  const addStack = async () => {
    await send('POST', '/stacks', { name: stack, host: id, compose })
    if (isOld) await fillStore(place.env, stack)
  }
  await Promise.all([untilHostStatus(running, token, id, 'online'), addStack()])
}

async function addPeople(send: Send) {
  const permissions = ['stacks:read', 'stacks:deploy', 'containers:read', 'hosts:read']
  await send('POST', '/roles', { name: 'zz-caretaker', permissions })
  for (const user of users) await send('POST', '/users', { ...user, password })
}
