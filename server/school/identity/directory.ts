import { isIP } from 'node:net'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import { Client, ResultCodeError } from 'ldapts'
import { usernamePlace } from '../../../contract/school/identity/identity.calls.ts'
import { OutboundFault, outboundFaultText, resolveOutbound } from '../../core/base/outbound.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { providerLimits } from './ask-provider.ts'
import type { Provider, TestStep, ProviderServices } from './protocol.ts'

/** Codes of RFC 4511 that mean something of its own here. */
const resultCode = { noSuchObject: 32, inappropriateAuthentication: 48, invalidCredentials: 49, insufficientAccess: 50 }
/** Where the number is unless an attribute is named. */
const numberAttribute = 'uid'
/** Of whom nothing is found, in a test. */
const nobody = 'test-of-the-console'

/** A text as a value in a filter: what could be read as a part of the filter is written by its bytes (RFC 4515). */
export const filterValue = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) =>
      byte >= 0x80 || byte < 0x20 || '*()\\'.includes(String.fromCharCode(byte))
        ? `\\${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('')

/** What a directory calls an entry for good: of OpenLDAP and others, and of AD, by its bytes. */
const entryUuid = 'entryUUID'
const objectGuid = 'objectGUID'

/** Whom a directory knows: their number, null where it has none or several, and what it calls them for good. */
export interface FoundInDirectory {
  number: string | null
  subject: string | null
}

/**
 * Looks somebody up in a directory, and proves their password by signing in there as who was found.
 * @returns undefined where name or password are wrong
 * @throws OutboundFault where it could not be asked, in words for the administrator
 */
export const askDirectory = (
  ctx: ProviderServices,
  provider: Provider,
  username: string,
  password: string,
): Promise<FoundInDirectory | undefined> =>
  withDirectory(ctx, provider, async (client) => {
    const { attribute } = provider.settings
    await signInToSearch(ctx, client, provider)
    const found = await search(client, provider, username)
    // a directory takes a name without a password for nobody, and says yes (RFC 4513, 5.1.2)
    if (found.length !== 1 || password === '') return undefined
    const [entry] = found
    try {
      await client.bind(entry!.dn, password)
    } catch (error) {
      if (isCode(error, resultCode.invalidCredentials, resultCode.inappropriateAuthentication)) return undefined
      throw error
    }
    const values = [entry![attribute || numberAttribute] ?? []].flat()
    const number = values.length === 1 ? String(values[0]).trim() || null : null
    return { number, subject: subjectOf(entry!) }
  })

/** A name that is given anew after its person has left would not do. */
function subjectOf(entry: Record<string, unknown>): string | null {
  const [guid, uuid] = [[entry[objectGuid]].flat()[0], [entry[entryUuid]].flat()[0]]
  if (Buffer.isBuffer(guid) && guid.length > 0) return guid.toString('hex')
  return typeof uuid === 'string' && uuid ? uuid : null
}

/** Whether a directory can be searched for people, step by step. */
export async function testDirectory(ctx: ProviderServices, provider: Provider): Promise<TestStep[]> {
  const { settings } = provider
  const steps: TestStep[] = []
  const step = async (name: string, good: string, work: () => Promise<unknown>, said: (error: unknown) => string) => {
    try {
      await work()
      steps.push({ name, isGood: true, text: good })
    } catch (error) {
      steps.push({ name, isGood: false, text: said(error) })
      throw error
    }
  }
  const encryption = settings.address.startsWith('ldaps:') ? 'LDAPS' : 'StartTLS'
  try {
    await withDirectory(ctx, provider, async (client) => {
      steps.push({ name: '连接', isGood: true, text: `已用 ${encryption} 加密连接` })
      await step(
        '查询账号',
        settings.bindDn ? '对方认可查询账号与口令' : '对方允许匿名查询',
        () => signInToSearch(ctx, client, provider),
        (error) =>
          isCode(error, resultCode.invalidCredentials) ? '查询账号或口令不正确，请核对' : directoryFaultText(error),
      )
      await step(
        '查询',
        '查询起点与查询条件可用',
        async () => {
          await client.search(settings.baseDn, { scope: 'base', attributes: ['objectClass'] })
          await search(client, provider, nobody)
        },
        (error) =>
          isCode(error, resultCode.noSuchObject)
            ? '没有该查询起点，或查询账号无权查看，请核对'
            : isCode(error, resultCode.insufficientAccess)
              ? '查询账号没有查询权限，请在对方授权'
              : `查询没有成功：${directoryFaultText(error)}`,
      )
    })
  } catch (error) {
    if (steps.every(({ isGood }) => isGood))
      steps.push({ name: '连接', isGood: false, text: directoryFaultText(error) })
  }
  return steps
}

async function signInToSearch({ secrets }: ProviderServices, client: Client, { settings, sealedSecret }: Provider) {
  if (settings.bindDn) await client.bind(settings.bindDn, unseal(sealedSecret, secrets) ?? '')
}

/** Two are as good as many: nobody is meant. Referrals to other servers are not followed. */
async function search(client: Client, { settings }: Provider, username: string) {
  const { searchEntries } = await client.search(settings.baseDn, {
    scope: 'sub',
    filter: settings.filter.replaceAll(usernamePlace, () => filterValue(username)),
    attributes: [settings.attribute || numberAttribute, entryUuid, objectGuid],
    explicitBufferAttributes: [objectGuid],
    timeLimit: 5,
  })
  return searchEntries
}

/** Connects by TLS to an address that was looked at, for ten seconds in all. */
async function withDirectory<R>(
  { config }: ProviderServices,
  { settings }: Provider,
  work: (client: Client) => Promise<R>,
): Promise<R> {
  const url = new URL(settings.address)
  const isSecure = url.protocol === 'ldaps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const signal = AbortSignal.timeout(providerLimits.timeoutMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new OutboundFault('对方 10 秒内没有应答')), { once: true })
  })
  // it comes to nothing where the work has long ended, and then nobody waits for it
  late.catch(() => undefined)
  const { address, family } = await resolveOutbound(host, config.outboundPrivate, signal)
  const encrypted: ConnectionOptions = {
    ...(isIP(host) ? {} : { servername: host }),
    ...(settings.ca && { ca: settings.ca }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  }
  const client = new Client({
    url: `${url.protocol}//${family === 6 ? `[${address}]` : address}:${url.port || (isSecure ? 636 : 389)}`,
    timeout: providerLimits.timeoutMs,
    connectTimeout: providerLimits.timeoutMs,
    ...(isSecure && { tlsOptions: encrypted }),
  })
  const asked = (async () => {
    // nothing is said before the connection is encrypted
    if (!isSecure) await client.startTLS(encrypted)
    else await client.search('', { scope: 'base', attributes: ['objectClass'] }).catch(unlessAnswered)
    return await work(client)
  })()
  try {
    return await Promise.race([asked, late])
  } catch (error) {
    if (error instanceof OutboundFault || error instanceof ResultCodeError) throw error
    throw new OutboundFault(tlsFaultText(error))
  } finally {
    asked.catch(() => undefined)
    void client.unbind().catch(() => undefined)
  }
}

/** A refusal is an answer too: the connection stands. */
function unlessAnswered(error: unknown): void {
  if (!(error instanceof ResultCodeError)) throw error
}

/** What went wrong on the way, with what to do about a certificate of the campus's own. */
function tlsFaultText(error: unknown): string {
  const text = outboundFaultText(error)
  return text.includes('证书') ? `${text}；校内自行签发的证书请填写其 CA 证书` : text
}

const isCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof ResultCodeError && codes.includes(error.code)

/** What a directory or the network said, for the administrator and the log. */
export function directoryFaultText(error: unknown): string {
  if (error instanceof OutboundFault) return error.message
  if (!(error instanceof ResultCodeError)) return outboundFaultText(error)
  return `对方答复 ${error.name.replace(/Error$/, '')}（${error.code}）`
}
