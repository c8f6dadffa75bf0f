import type { MessageRow } from './message-row.ts'

/** Errors of registries, of the images that they send, and of builders. */
export const imageMessages: readonly MessageRow[] = [
  [
    /You have reached your (?:unauthenticated )?pull rate limit/i,
    'too many requests: the registry limits pulls',
  ],
  [
    /failed to (?:authorize|fetch (?:anonymous|oauth) token).* 40[13]\b|parsing HTTP 40[13] response/,
    'unauthorized: the registry rejected the credentials, or requires some',
  ],
  [
    /unexpected (?:HTTP status:|status code|status from) .*\b5\d\d\b|status code \[.*\]: 5\d\d|parsing HTTP 5\d\d response/,
    'the registry has an error of its own: try again later',
  ],
  [
    /name unknown: |blob unknown to registry/,
    'manifest unknown: the registry has no such image or tag',
  ],
  [
    /name invalid: |Requested repository name is invalid|tag invalid: /,
    'manifest unknown: the registry does not accept the name of the image',
  ],
  [
    /layer verification failed|mismatched image rootfs|unexpected commit digest/,
    'the registry sent other content than its manifest says: pull it again',
  ],
  [
    /schema 1(?:,? support| has been removed)/i,
    'the image has an old format, schema 1, which the Engine no longer supports',
  ],
  [
    /no processor for media-type|encountered unknown type|unsupported media type|mediaType in manifest|missing signature key/,
    'the Engine is too old for the format of the image',
  ],
  [
    /failed to register layer: (?:ApplyLayer|Error processing tar file).*(?:operation not permitted|invalid argument)/s,
    'a layer of the image cannot be unpacked on this host: its user namespaces or disk do not allow it',
  ],
  [
    /was found but (?:does not match|its platform)/,
    'the image on the host is for another platform than the service asks for: pull it again',
  ],
  [
    /no match for platform in manifest/,
    'no matching manifest: the image is not available for the platform',
  ],
  [
    /"([\w./-]{1,60})":? (?:is an )?unknown operating system or architecture/,
    'there is no platform $1',
  ],
  [/reference does not exist/, 'No such image'],
  [
    /unexpected status from (?:HEAD|GET) request to .*: 40[13]\b/,
    'unauthorized: the registry rejected the credentials, or requires some',
  ],
  [
    /\bunknown blob\b|fetch content descriptor .*: not found$/,
    'manifest unknown: the registry lacks a part of the image',
  ],
  [
    /failed to resolve source metadata for .*: not found$/,
    'manifest unknown: the registry has no such image or tag',
  ],
  [
    /failed to register layer: (?:unexpected EOF|gzip: |archive\/tar: )/,
    'the registry sent other content than its manifest says: pull it again',
  ],
  [
    /^(?:error unmarshalling content: |invalid character '|unexpected end of JSON input$)|source metadata for .*: invalid character '/,
    'the registry sent something that is not the manifest of an image',
  ],
  [/^unknown: /, 'the registry refused the image without a known reason'],
  [/operating system is not supported$/, 'the image is built for another operating system'],
  [/is a reserved name/, 'the image has a reserved name'],
  [/max depth exceeded/, 'the image would have more layers than the Engine supports'],
  // Builds.
  [
    /failed to read dockerfile|Cannot locate specified Dockerfile/i,
    'the Dockerfile is not on the host, where the build looks for it',
  ],
  [
    /forbidden path outside the build context/i,
    'the Dockerfile copies a path outside of the build context',
  ],
  [/option requires BuildKit/, 'the Dockerfile has an option that requires BuildKit'],
  [
    /unsupported frontend capability/,
    'the Dockerfile requires a newer BuildKit than the Engine has',
  ],
  [
    /runtime execution on platform ([\w/.-]{1,60}) not supported/,
    'the host cannot run commands of a build for $1',
  ],
  [/no build stage in current context/, 'the Dockerfile has an instruction before its first FROM'],
  [
    /circular dependency detected on stage/,
    'the stages of the Dockerfile need each other in a circle',
  ],
  [
    /lease "?[\w-]{0,80}"?:? (?:does not exist: )?not found|lease does not exist/,
    'a part of the unfinished build was removed on the host: try again',
  ],
]
