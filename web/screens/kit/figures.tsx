import { serviceTime } from '../../data/clock.ts'
import { Badge } from '../../parts/badge.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Facts, Panel } from '../../parts/panel.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { State } from '../../parts/state.tsx'
import { Since, Time } from '../../parts/time.tsx'
import { Sample } from './sample.tsx'

const cpu = [3, 4, 4, 7, 12, 9, 6, 5, 5, 8, 14, 22, 18, 12, 9, 8, 7, 7, 9, 11, 10, 9, 8, 12]
const states = ['running', 'working', 'attention', 'failed', 'stopped', 'unknown'] as const

/** States, times, sizes and gauges. */
export function Figures() {
  const started = serviceTime() - 4 * 3_600_000
  return (
    <>
      <Sample name="State">
        {states.map((state) => (
          <State key={state} of={state} />
        ))}
        <State of="working" word="Deploying" />
      </Sample>
      <Sample name="Badge">
        <Badge>build</Badge>
        <Badge kind="count">4</Badge>
        <Badge kind="running">healthy</Badge>
        <Badge kind="working">starting</Badge>
        <Badge kind="attention">drift</Badge>
        <Badge kind="failed">unhealthy</Badge>
      </Sample>
      <Sample name="Figures">
        <Time at={started} />
        <Since at={started} />
        <Bytes of={1_610_612_736} />
        <span>
          <code>sha256:9f86d081</code>
        </span>
        <Copy text="sha256:9f86d081" what="the digest" />
        <Sparkline label="CPU, now 12 %" values={cpu} />
      </Sample>
      <Sample name="Meter">
        <div class="kit-meter">
          <Meter label="CPU" value={0.12}>
            12 %
          </Meter>
        </div>
        <div class="kit-meter">
          <Meter label="Memory" value={0.84}>
            13.4 of 16 GiB
          </Meter>
        </div>
        <div class="kit-meter">
          <Meter label="Disk" value={0.97}>
            466 of 480 GB
          </Meter>
        </div>
      </Sample>
      <Sample name="Panel">
        <Panel title="Service web">
          <Facts
            of={[
              ['Image', <code key="image">nginx:1.29</code>],
              ['Health', <State key="health" of="running" word="Healthy" />],
              ['Restarts', 0],
            ]}
          />
        </Panel>
      </Sample>
    </>
  )
}
