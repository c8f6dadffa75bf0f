import { load, loadAll } from '../../functions/core/compose/load/load.ts'
import { answerPlan } from '../../functions/core/compose/plan/question.ts'
import type { Composer } from '../../functions/core/stacks/ports.ts'
import { expectations } from '../../functions/core/stacks/project.ts'

/** Returns a composer that runs in this process, without a timeout. */
export function memoryComposer(): Composer {
  return {
    async load(input) {
      return load(input)
    },
    async check(inputs) {
      const [first] = loadAll(inputs)
      return first ? expectations(first.project) : {}
    },
    async plan(question) {
      return answerPlan(question)
    },
    onBehalfOf() {
      return this
    },
  }
}
