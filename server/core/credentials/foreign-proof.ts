import { type KeyObject } from 'node:crypto'
import { base58 } from '@scure/base'
import { sha256 } from '../base/hashes.ts'
import { canonicalJson } from './canonical-json.ts'
import { integrityBytes } from './data-integrity.ts'
import type { ForeignVerdict } from './foreign-credential.ts'
import { fieldsOf, NotACredential, type DocumentGetter, type Fields } from './foreign-documents.ts'
import { isSigned, keyOfJwk, keyOfMultikey, type Algorithm } from './public-keys.ts'

interface Help {
  get: DocumentGetter
  canonical: (document: object) => Promise<string>
  issuerOf: (credential: Fields) => [id: string, name: string]
}

type Proven = Pick<ForeignVerdict, 'signature' | 'why'> & { credential: Fields }

/** The suites of W3C Data Integrity that are understood: how their bytes are made, and by what they are signed. */
const suites: Record<string, { algorithm: Algorithm; isJson: boolean }> = {
  'eddsa-rdfc-2022': { algorithm: 'EdDSA', isJson: false },
  'eddsa-jcs-2022': { algorithm: 'EdDSA', isJson: true },
  'ecdsa-rdfc-2019': { algorithm: 'ES256', isJson: false },
  'ecdsa-jcs-2019': { algorithm: 'ES256', isJson: true },
}

/**
 * How a credential's proof stands, in JSON or as a JWT.
 * @throws NotACredential; UnknownContext and UnreadableDocument out of `canonical`
 */
export async function foreignProof(text: string, help: Help): Promise<Proven> {
  const jwt = /^\s*([\w-]+)\.([\w-]+)\.([\w-]+)\s*$/.exec(text)
  if (jwt) return jwtProof(jwt[1]!, jwt[2]!, jwt[3]!, help)
  const parsed = fieldsOf(text)
  if (!parsed || !isCredential(parsed)) throw new NotACredential()
  const { proof, ...credential } = parsed
  // of several the first counts: a badge is signed once
  const [first] = [proof].flat() as (Fields | undefined)[]
  if (typeof first !== 'object' || first === null) return { credential, signature: 'unchecked', why: 'no-proof' }
  const { proofValue, ...config } = first
  const suite = config['type'] === 'DataIntegrityProof' ? suites[String(config['cryptosuite'])] : undefined
  if (!suite) return { credential, signature: 'unchecked', why: 'suite' }
  if (
    config['proofPurpose'] !== 'assertionMethod' ||
    typeof proofValue !== 'string' ||
    !/^z\w{60,100}$/.test(proofValue)
  )
    return { credential, signature: 'bad', why: '' }
  const key = await keyAt(String(config['verificationMethod']), help.get)
  if (!key) return { credential, signature: 'unchecked', why: 'no-key' }
  const bytes = suite.isJson
    ? Buffer.concat([sha256(canonicalJson(config as never)), sha256(canonicalJson(credential as never))])
    : await integrityBytes(credential, config, help.canonical)
  if (!isSigned(suite.algorithm, bytes, base58.decode(proofValue.slice(1)), key.key))
    return { credential, signature: 'bad', why: '' }
  return { credential, signature: key.controller === help.issuerOf(credential)[0] ? 'good' : 'unbound', why: '' }
}

/** A credential as a JWT, plain or in the claim `vc` as version 1.1 has it. */
async function jwtProof(head: string, body: string, signature: string, help: Help): Promise<Proven> {
  const [header, payload] = [head, body].map((part) => fieldsOf(Buffer.from(part, 'base64url').toString('utf8')))
  const inner = payload?.['vc']
  const credential = typeof inner === 'object' && inner !== null ? (inner as Fields) : payload
  if (!header || !payload || !credential || !isCredential(credential)) throw new NotACredential()
  // where both say who issued it they must say the same
  const issuer = payload['iss'] ?? help.issuerOf(credential)[0]
  if (issuer !== help.issuerOf(credential)[0]) return { credential, signature: 'bad', why: '' }
  const algorithm = String(header['alg'])
  if (algorithm !== 'EdDSA' && algorithm !== 'ES256' && algorithm !== 'RS256')
    return { credential, signature: 'unchecked', why: 'suite' }
  const jwk = header['jwk']
  const key =
    typeof header['kid'] === 'string'
      ? await keyAt(header['kid'], help.get)
      : typeof jwk === 'object' && jwk !== null
        ? { key: keyOfJwk(jwk as Fields), controller: undefined }
        : undefined
  if (!key) return { credential, signature: 'unchecked', why: 'no-key' }
  const isGood = isSigned(algorithm, Buffer.from(`${head}.${body}`), Buffer.from(signature, 'base64url'), key.key)
  return { credential, signature: isGood ? (key.controller === issuer ? 'good' : 'unbound') : 'bad', why: '' }
}

const isCredential = ({ type }: Fields): boolean => [type].flat().includes('VerifiableCredential')

/**
 * A public key, and whose it is: in the address itself (`did:key`), or in the document of whoever controls it
 * (`did:web`, https), which must stand at the controller's own address and give the key for statements.
 */
async function keyAt(
  address: string,
  get: DocumentGetter,
): Promise<{ key: KeyObject; controller: string } | undefined> {
  const [controller = ''] = address.split('#')
  if (controller.startsWith('did:key:')) return { key: keyOfMultikey(controller.slice(8)), controller }
  const document = fieldsOf((await get(webAddress(controller))) ?? '')
  if (!document) return undefined
  // a key alone, as Open Badges lets a `kid` point to it, belongs to nobody until its controller says so
  if (document['kty']) return { key: keyOfJwk(document), controller: '' }
  if (document['id'] !== controller) return undefined
  const methods = [document['verificationMethod'], document['assertionMethod']].flat(2).filter(isObject)
  const method = methods.find(({ id }) => id === address || `${controller}${String(id)}` === address)
  const isForStatements = [document['assertionMethod']]
    .flat()
    .some((one) => (isObject(one) ? one['id'] : one) === (method?.['id'] ?? address))
  if (!method || !isForStatements || method['revoked'] !== undefined) return undefined
  const { publicKeyMultibase, publicKeyJwk } = method
  const key = isObject(publicKeyJwk) ? keyOfJwk(publicKeyJwk) : keyOfMultikey(String(publicKeyMultibase))
  return { key, controller }
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Where the document of a controller stands. */
const webAddress = (controller: string): string => {
  if (!controller.startsWith('did:web:')) return controller
  const [host = '', ...path] = controller.slice(8).split(':').map(decodeURIComponent)
  return `https://${host}/${path.length > 0 ? path.join('/') : '.well-known'}/did.json`
}
