import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import {
  beginSignOn,
  finishSignOn,
  listProviders,
  type Provider,
} from '../../data/single-sign-on.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'

interface ProvidersProps {
  remembers: boolean
  /** The page stays, and its login ends as soon as another tab has signed in. */
  opensTab: boolean
}

/** A button for each identity provider, and the way back from one. */
export function Providers({ remembers, opensTab }: ProvidersProps) {
  const providers = useSignal<readonly Provider[]>([])
  const finish = useMemo(
    () => act(finishSignOn, { failed: t.login.failed, tellsProblem: false }),
    [],
  )
  useEffect(() => {
    void finish.run()
    // Without the list the password still works.
    listProviders().then(
      (list) => {
        providers.value = list
      },
      () => {},
    )
  }, [finish, providers])
  const problem = finish.problem.value
  return (
    <>
      {problem && <Problem title={t.login.failed} {...problem} />}
      {providers.value.map((provider) =>
        opensTab ? (
          <Link key={provider.id} href={`${location.origin}/login`}>
            {t.login.inTab(provider.name)}
          </Link>
        ) : (
          <Button key={provider.id} onClick={() => beginSignOn(provider, remembers)}>
            {t.login.with(provider.name)}
          </Button>
        ),
      )}
    </>
  )
}
