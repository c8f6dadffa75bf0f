import { ArrowDownToLine, Hammer } from 'lucide'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { runVerb, type StackDetails } from '../../data/stack-operations.ts'
import type { MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import { builtIn, imagesIn } from './resolved-model.ts'

type Fetch = 'pull' | 'build'

/** Returns the entries that pull or build the images of all services, one after the other. */
export function useFetchAll(
  { name, environment }: StackDetails,
  blocked: string | undefined,
): MenuItem[] {
  const query = environment === null ? {} : { environment }
  const { value: model } = useResource('/stacks/{name}/config', { name, ...query })
  const fetch = useMemo(
    () =>
      act(
        async (verb: Fetch, services: readonly string[]) => {
          for (const service of services) await runVerb(name, service, verb)
          return verb
        },
        {
          ended: (verb) => t.stack.fetched[verb](name),
          failed: t.stack.notFetched(name),
        },
      ),
    [name],
  )
  const built = builtIn(model.value)
  const pulled = Object.keys(imagesIn(model.value)).filter((service) => !built.has(service))
  const itemOf = (verb: Fetch, services: readonly string[]): MenuItem[] =>
    services.length === 0
      ? []
      : [
          {
            label: t.stack.fetch[verb](name),
            icon: verb === 'pull' ? ArrowDownToLine : Hammer,
            blocked: fetch.pending.value ? t.stack.fetching : blocked,
            run: () => void fetch.run(verb, services),
          },
        ]
  return [...itemOf('pull', pulled), ...itemOf('build', [...built])]
}
