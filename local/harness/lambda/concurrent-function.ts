import { Semaphore } from '../../../functions/core/semaphore.ts'
import { type CalledFunction, type FunctionOptions, lambdaFunction } from './function-process.ts'

/** Processes of one function. A start keeps a processor busy for half a second. */
const processesMax = 4

/**
 * Returns a function that starts another process for a call while all others are busy. Further
 * calls wait.
 */
export function concurrentFunction(options: FunctionOptions): CalledFunction {
  const all = new Set<CalledFunction>()
  const idle: CalledFunction[] = []
  const turns = new Semaphore(processesMax)
  return {
    call: (event) =>
      turns.run(async () => {
        const one = idle.pop() ?? lambdaFunction(options)
        all.add(one)
        try {
          return await one.call(event)
        } finally {
          idle.push(one)
        }
      }),
    output: () => [...all].map((one) => one.output()).join(''),
    async end() {
      await Promise.all([...all].map((one) => one.end()))
    },
  }
}
