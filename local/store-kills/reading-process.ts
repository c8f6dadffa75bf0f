import { json } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { type Kind, kindsIn, type Told } from './kinds.ts'
import { openStore } from './open-store.ts'

/**
 * A process that reads the last told step of each thing from its standard input, and writes what is
 * wrong with the store as a list of texts. Its clock is ahead, because a name that a killed process
 * had reserved is free after half a minute.
 */
const [place = ''] = process.argv.slice(2)
const atOnce = 16
const store = await openStore(JSON.parse(place), { ahead: 60_000 })
const kinds = kindsIn(store)
const things = (await json(process.stdin)) as Told[]
const problems: string[] = []

/**
 * Checks that a thing is as after its last acknowledged step, or as after the next one, which was
 * begun. If its writer was killed, stores it once more: what is left behind must not prevent this.
 */
async function checkThing(kind: Kind, id: string, step: number): Promise<void> {
  await compare(kind, id, [step, Math.min(step + 1, kind.steps)])
  if (step === kind.steps || !kind.remove) return
  await kind.remove(id)
  for (let next = 1; next <= kind.steps; next += 1) await kind.write(id, next)
  await compare(kind, id, [kind.steps])
}

/** @throws if the thing is not as after one of these steps */
async function compare(kind: Kind, id: string, steps: number[]): Promise<void> {
  const found = await kind.read(id)
  if (!steps.some((step) => isDeepStrictEqual(found, kind.after(id, step))))
    throw new Error(`the store has ${JSON.stringify(found)}`)
}

async function checkNext(): Promise<void> {
  for (let thing = things.pop(); thing; thing = things.pop()) {
    const [named, id, step] = thing
    const kind = kinds[named]
    await (kind && checkThing(kind, id, step))?.catch((error) =>
      problems.push(`${named} ${id}, after ${step} acknowledged steps: ${error.message}`),
    )
  }
}

await Promise.all(Array.from({ length: atOnce }, checkNext))
const verdict = await store.audit.verify()
if (!verdict.ok) problems.push(`the audit chain: ${JSON.stringify(verdict.problems)}`)
await store.close()
console.log(JSON.stringify(problems))
