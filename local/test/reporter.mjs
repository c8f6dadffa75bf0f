import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { ProcessorTime } from './processor-time.mjs'
import { unknownMessages } from './unknown-messages.mjs'

/**
 * Writes how each test file ended into the file that TEST_REPORT names, as a `Report` of
 * `verdict.mjs`. Prints at once why a test failed, because a run that is killed prints no summary.
 */
export default class {
  #processors = new ProcessorTime()

  #unknown = join(mkdtempSync(join(tmpdir(), 'container-stacks-run-')), 'unknown')

  onTestRunStart() {
    this.#processors.start()
    // The workers that start after this have it.
    Object.assign(process.env, { TEST_UNKNOWN: this.#unknown })
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state !== 'failed') return
    const reasons = errors.map(({ message, stack }) => (stack ?? message).slice(0, 2000))
    const file = relative(process.cwd(), test.module.moduleId)
    console.log(`FAILED ${file} › ${test.fullName}\n${reasons.join('\n')}`)
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message: string }[]} unhandled errors that belong to no test
   */
  onTestRunEnd(modules, unhandled) {
    const unknown = unknownMessages(this.#unknown)
    rmSync(dirname(this.#unknown), { recursive: true, force: true })
    if (unknown.length > 0) console.log(`Messages of Engines without a row:\n${unknown.join('\n')}`)
    const { TEST_REPORT } = process.env
    if (!TEST_REPORT) return
    const processorSeconds = this.#processors.stop()
    const files = modules.map(fileOf)
    const report = { files, unhandled: unhandled.map(firstLineOf), processorSeconds }
    writeFileSync(TEST_REPORT, JSON.stringify(report))
  }
}

/** @type {(module: import('vitest/node').TestModule) => import('./verdict.mjs').TestFile} */
function fileOf(module) {
  const tests = [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    state: test.result().state,
    message: messageOf(test.result().errors),
  }))
  const suites = [...module.children.allSuites()]
  const errors = [module, ...suites].flatMap((one) => one.errors())
  return {
    path: relative(process.cwd(), module.moduleId),
    project: module.project.name,
    state: module.state(),
    milliseconds: Math.round(module.diagnostic().duration),
    processorSeconds: Math.round(module.meta().processorSeconds ?? 0),
    tests,
    message: messageOf(errors),
  }
}

/** @type {(error: { message: string }) => string} */
const firstLineOf = ({ message }) => message.split('\n')[0] ?? ''

/** @type {(errors: readonly { message: string }[] | undefined) => string | undefined} */
const messageOf = (errors) => errors?.map(firstLineOf)[0]
