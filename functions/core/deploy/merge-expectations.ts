import { ownEntry } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import type { ServiceExpectation, StackRecord } from '../records/stack.ts'
import { expectations } from '../stacks/load-project.ts'

type Expected = Record<string, ServiceExpectation>

/**
 * Returns what is expected of all services of a stack after a deployment of some of them. Those
 * that it leaves out stay as they are: up if an earlier deploy brought them up, else inactive.
 *
 * @param project the project with the services that the deployment leaves out
 * @param expected what the files say of the services that it is about
 */
export function mergeExpectations(
  { services, deployed, verbs = {} }: Pick<StackRecord, 'services' | 'deployed' | 'verbs'>,
  project: Project,
  expected: Expected,
): Expected {
  if (!project.left_out) return expected
  const whole = { ...project, services: { ...project.services, ...project.left_out } }
  const left: Expected = {}
  for (const [name, inFile] of Object.entries(expectations(whole))) {
    if (Object.hasOwn(expected, name)) continue
    const known = ownEntry(services, name)
    // A stack that was stopped has a verb for each service that was up.
    const isKnown = known && (deployed || Object.hasOwn(verbs, name))
    left[name] = isKnown ? known : { ...inFile, inactive: true }
  }
  const gone = Object.entries(services).filter(
    ([name]) => deployed && !Object.hasOwn(whole.services, name),
  )
  return { ...sameOrder(services, { ...Object.fromEntries(gone), ...left, ...expected }) }
}

/** Returns values in the order of earlier ones, so that equal records have equal texts. */
function sameOrder(earlier: Expected, values: Expected): Expected {
  const known = Object.keys(earlier).filter((name) => Object.hasOwn(values, name))
  const order = [...new Set([...known, ...Object.keys(values)])]
  return Object.fromEntries(
    order.flatMap((name) => {
      const value = values[name]
      return value ? [[name, value]] : []
    }),
  )
}
