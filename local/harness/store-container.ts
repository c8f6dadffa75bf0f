import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { installedStore } from '../../adapters/node/store-supervisor/install.ts'

/**
 * Returns a compose file that runs the store of `compose.dynamodb.yaml` with the programs of this
 * machine, because tests have no registry that gives the image of its vendor.
 */
export async function storeContainer(): Promise<object> {
  const java = realpathSync('/usr/bin/java')
  // Debian has the files below /etc, with links to them beside the program.
  const settings = join(realpathSync(join(java, '../../conf/logging.properties')), '..')
  const readOnly = (path: string, target = path) => `${realpathSync(path)}:${target}:ro`
  return {
    services: {
      store: {
        image: 'busybox',
        entrypoint: [java],
        volumes: [
          ...['/usr', '/lib', '/lib64', settings].map((path) => readOnly(path)),
          readOnly(await installedStore('/nonexistent'), '/home/dynamodblocal'),
        ],
      },
    },
  }
}
