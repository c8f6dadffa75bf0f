import { requireEveryHost } from '../../core/access/grant.ts'
import { checkUpgrade, type UpgradePorts } from '../../core/upgrade/check-upgrade.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { CheckUpgradeBody, UpgradeCheck } from './schema.ts'

export default endpoint({
  summary: 'Check an upgrade of the service',
  description:
    'Judges a new version by the labels of its image: whether the version may follow the running one, whether it can read the store, and whether it converts the store. Also says what of the installation would get lost. ' +
    'Pulls, starts and changes nothing. Needs an account that is not limited to some hosts.',
  access: 'service:upgrade',
  changes: false,
  atService: true,
  body: CheckUpgradeBody,
  returns: UpgradeCheck,
  errors: {
    404: 'The image is not on the host of the service',
  },

  async run({ body, caller }, ports: UpgradePorts) {
    requireEveryHost(caller, 'upgrade of the service')
    const { next, result, findings } = await checkUpgrade(body, ports)
    return {
      image: next.image?.name ?? null,
      image_id: next.image?.id ?? null,
      version: next.version ?? null,
      result,
      findings,
    }
  },
})
