import { diagnose } from '../../../functions/compose/diagnose/diagnose.ts'
import { load, loadAll } from '../../../functions/compose/load/load.ts'
import { explainChanges } from '../../../functions/compose/plan/compare/explain-changes.ts'
import { makePlan } from '../../../functions/compose/plan/plan-request.ts'
import { publication } from '../../../functions/compose/publish/publication.ts'
import { resolveModel } from '../../../functions/compose/show/resolve.ts'
import { secretUses } from '../../../functions/compose/show/secret-uses.ts'
import { diffTexts } from '../../../functions/core/diff/diff-texts.ts'
import type { Composer } from '../../../functions/core/ports/composer.ts'
import { checkedProject } from '../../../functions/core/stacks/load-project.ts'

/**
 * Returns a composer that runs in this process, without a timeout. Projects and questions are
 * copied as on their way to the worker process and back, where objects get their usual prototype.
 */
export function memoryComposer(): Composer {
  return {
    async load(input) {
      return structuredClone(load(input))
    },
    async check(inputs) {
      return checkedProject(loadAll(inputs))
    },
    async diagnose(inputs, options) {
      return diagnose(inputs, options)
    },
    async resolve(input, options) {
      return resolveModel(input, options)
    },
    async publication(input, options) {
      return publication(input, options)
    },
    async secretUses(inputs) {
      return secretUses(inputs)
    },
    async plan(question) {
      return makePlan(structuredClone(question))
    },
    async explain(question) {
      return explainChanges(question)
    },
    async diff(pairs) {
      return diffTexts(pairs)
    },
    onBehalfOf() {
      return this
    },
    inBackground() {
      return this
    },
  }
}
