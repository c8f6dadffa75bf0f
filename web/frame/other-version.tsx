import './connection-bar.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useResource } from '../data/cache.ts'
import { connection } from '../data/events.ts'
import { isOtherBuild } from '../data/page-build.ts'
import { Button } from '../parts/button.tsx'
import { State } from '../parts/state.tsx'
import { t } from '../text/text.ts'

/**
 * Offers to load the page again once the service is of another version than the page. An upgrade
 * cuts the connection, so only a page that was cut asks for the version.
 */
export function OtherVersion() {
  const wasCut = useSignal(false)
  const isLive = connection.value.state === 'live'
  useEffect(() => {
    if (!isLive) wasCut.value = true
  }, [isLive])
  return wasCut.value ? <Offer isLive={isLive} /> : null
}

function Offer({ isLive }: { isLive: boolean }) {
  const service = useResource('/version').value.value
  if (!isLive || !service || !isOtherBuild(PAGE_BUILD, service)) return null
  return (
    <div class="connection-bar" role="status">
      <State of="attention" word={t.frame.otherVersion(service.version)} />
      <Button kind="primary" onClick={() => location.reload()}>
        {t.frame.reload}
      </Button>
    </div>
  )
}
