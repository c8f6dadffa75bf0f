/**
 * Errors of docker compose → the same errors in the words of the service or its client. A scenario
 * demands that an error is reported, not how it is worded.
 */
const wordings: [theirs: RegExp, ours: (parts: string[]) => RegExp][] = [
  [
    /^service "(.+)" is not running container #(\d+)$/,
    ([service = '', number = '']) => new RegExp(`container ${number} of service ${service} `),
  ],
  [
    /^network (\S+) declared as external, but could not be found$/,
    ([name = '']) => new RegExp(`external network ${name} is not on the host`),
  ],
  [
    /^healthcheck\.start_interval requires healthcheck\.start_period to be set$/,
    () => /healthcheck\.start_interval: has no meaning without start_period/,
  ],
  [
    /^Some service image\(s\) must be built from source by running:$/,
    () => /its image is built, so it is not pulled/,
  ],
  [
    /^(\S+) publish(?:ing|ed)$/,
    ([reference = '']) => new RegExp(`^${reference} (?:is|would be) published as `, 'm'),
  ],
  [
    /^you are about to publish env-related declarations within your OCI artifact\.$/,
    () => /^declarations of variables would be published:$/m,
  ],
  [
    /^service "(.+)": env_file declared$/,
    ([service = '']) => new RegExp(`^ *services\\.${service}\\.env_file: env_file declared$`, 'm'),
  ],
  [
    /^service "(.+)": literal value for "(.+)"$/,
    ([service = '', name = '']) =>
      new RegExp(
        `^ *services\\.${service}\\.environment\\.${name}: literal value for ${name}$`,
        'm',
      ),
  ],
  [/^Are you ok to publish these env declarations\?$/, () => /Publish these variables\?/],
  [
    /^you are about to publish bind mounts declaration within your OCI artifact\.$/,
    () => /^bind mounts would be published \(/m,
  ],
  [/^Are you ok to publish these bind mount declarations\?$/, () => /Publish these bind mounts\?/],
  [
    /^your Compose stack cannot be published as it only contains a build section for service\(s\):$/,
    () => /services that only have a build cannot be published/,
  ],
  [
    /^cannot publish compose file with local includes$/,
    () => /a file with include cannot be published/,
  ],
  [
    /^you are about to publish sensitive data within your OCI artifact\.\n$/,
    () => /^sensitive data would be published/m,
  ],
  [
    /^please double check that you are not leaking sensitive data$/,
    () => /Publish this sensitive data\?/,
  ],
  [
    /^(AWS|Github|JSON|Private) [^\n]+\n"(.*?)": ([\s\S]+)$/,
    ([kind = '', key = '', value = '']) =>
      new RegExp(`^ .*${key}: ${kind} .*: ${value.replace(/\n/g, '\\s+')}`, 'im'),
  ],
  [/^container (\S+) is unhealthy$/, ([name = '']) => new RegExp(`${name}.* unhealthy`)],
]

/** Returns patterns for an error of docker compose in our words. */
export const inOurWords = (text: string): RegExp[] =>
  wordings.flatMap(([theirs, ours]) => {
    const match = theirs.exec(text)
    return match ? [ours(match.slice(1).map(escaped))] : []
  })

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
