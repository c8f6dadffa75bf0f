import { type CalledFunction, type FunctionOptions, lambdaFunction } from './function-process.ts'

/** Returns a function that starts another process for a call while all others are busy. */
export function concurrentFunction(options: FunctionOptions): CalledFunction {
  const all = new Set<CalledFunction>()
  const idle: CalledFunction[] = []
  return {
    async call(event) {
      const one = idle.pop() ?? lambdaFunction(options)
      all.add(one)
      try {
        return await one.call(event)
      } finally {
        idle.push(one)
      }
    },
    output: () => [...all].map((one) => one.output()).join(''),
    async end() {
      await Promise.all([...all].map((one) => one.end()))
    },
  }
}
