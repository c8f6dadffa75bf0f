import { setTimeout as delay } from 'node:timers/promises'
import type { Chances } from './chances.ts'
import { type ApiAnswer, type ApiRequest, send } from './dynamo-api.ts'
import { chooseFault, type FaultRates, failure, slowMax } from './faults.ts'
import { inTurns } from './in-turns.ts'
import { LateCopy, lateTable } from './late-copy.ts'
import { asLateRead, withAskedNames } from './late-reads.ts'
import { itemsWritten, keysWritten, textOf } from './writes.ts'

/** What a lagging store does at random. */
export interface AnswerOptions {
  /** Returns the endpoint of the store behind it. */
  behind(): string
  chances: Chances
  /** The longest time until the index and inconsistent reads see a write, in milliseconds. */
  lagMax: number
  faults: FaultRates
}

/** Operations on a table that its late copy needs too. */
const ofTables = new Set(['CreateTable', 'DeleteTable', 'UpdateTimeToLive'])

/** Returns a function that answers requests as a lagging store does, and one that ends it. */
export function answerRequests(options: AnswerOptions) {
  const { behind, chances, faults } = options
  const copy = new LateCopy(options)
  const takeTurns = inTurns()

  const read = async (asked: ApiRequest) => {
    const late = asLateRead(asked, chances)
    return late ? withAskedNames(asked, await send(behind(), late)) : send(behind(), asked)
  }
  const changeTables = async (asked: ApiRequest) => {
    const TableName = lateTable(asked.input.TableName)
    // First the copy: whoever sees the table may write to it.
    await send(behind(), { ...asked, input: { ...asked.input, TableName } })
    return send(behind(), asked)
  }
  const execute = (asked: ApiRequest): Promise<ApiAnswer> => {
    if (ofTables.has(asked.operation)) return changeTables(asked)
    const keys = keysWritten(asked)
    if (!keys) return read(asked)
    // One key is written by one request at a time, so that the copy knows their order.
    return takeTurns(keys.map(textOf), async () => {
      const answer = await send(behind(), asked)
      if (answer.status !== 200) return answer
      for (const written of itemsWritten(asked, answer)) copy.follow(written, asked.headers)
      return answer
    })
  }
  return {
    async answer(asked: ApiRequest): Promise<ApiAnswer> {
      copy.check()
      const fault = chooseFault(asked, faults, chances)
      if (fault === 'slow') await delay(chances.next() * slowMax)
      if (fault === 'throttled' || fault === 'failed') return failure(fault)
      const answer = await execute(asked)
      return fault === 'lost' ? failure(fault) : answer
    },
    close: () => copy.close(),
  }
}
