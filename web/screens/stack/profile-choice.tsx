import { useResource } from '../../data/cache.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Checkbox } from '../../parts/checkbox.tsx'
import { t } from '../../text/text.ts'
import { isSuccessfulDeploy } from './is-successful-deploy.ts'
import { profilesIn } from './profiles-in.ts'

/** No profile, in the address. */
const none = '-'

/** Returns the profiles that were chosen for a deploy, or undefined for those of the last one. */
export function useProfiles(): readonly string[] | undefined {
  const [chosen] = useQuery('profiles')
  if (chosen === '') return undefined
  return chosen === none ? [] : chosen.split(',')
}

/** The profiles that the files of a stack name, and which of them a deploy activates. */
export function ProfileChoice({ stack }: { stack: StackDetails }) {
  const { name, compose, overlays } = stack
  const [, setChosen] = useQuery('profiles')
  const chosen = useProfiles()
  const { value } = useResource('/stacks/{name}/deployments', { name })
  const last = value.value?.find(isSuccessfulDeploy)?.profiles ?? []
  const active = chosen ?? last
  const all = [...new Set([...profilesIn([compose, ...Object.values(overlays)]), ...active])]
  if (all.length === 0) return null
  const toggle = (profile: string, isOn: boolean) => {
    const next = all.filter((one) => (one === profile ? isOn : active.includes(one)))
    setChosen(next.join(',') || none)
  }
  return (
    <fieldset class="toolbar profiles">
      <legend class="quiet-text">{t.stack.profiles}</legend>
      {all.map((profile) => (
        <Checkbox
          key={profile}
          label={profile}
          checked={active.includes(profile)}
          onChange={(isOn) => toggle(profile, isOn)}
        />
      ))}
    </fieldset>
  )
}
