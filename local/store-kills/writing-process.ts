import { writeSync } from 'node:fs'
import { kindsIn, type Told } from './kinds.ts'
import { openStore } from './open-store.ts'

/**
 * A process that stores things of each kind, a few at a time, until it is killed. It writes a line
 * of JSON when it begins a thing, and one after each acknowledged step. A line is in the pipe
 * before the next step begins, so none is lost with the process.
 */
const [place = '', name = ''] = process.argv.slice(2)
const atOnce = 3
const tell = (told: Told) => writeSync(1, `${JSON.stringify(told)}\n`)
const kinds = kindsIn(await openStore(JSON.parse(place)))

for (const [named, kind] of Object.entries(kinds)) {
  const writeAll = async (id: string) => {
    tell([named, id, 0])
    for (let step = 1; step <= kind.steps; step += 1) {
      await kind.write(id, step)
      tell([named, id, step])
    }
  }
  const writeOn = async (worker: number) => {
    for (let number = 0; ; number += 1) await writeAll(`${name}-${worker}-${number}`)
  }
  // A rejection ends the process with the error.
  for (let worker = 0; worker < atOnce; worker += 1) void writeOn(worker)
}
