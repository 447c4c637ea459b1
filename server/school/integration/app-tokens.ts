/** How a service gives an application its token, and by which codes it says that one is good no more. */
export interface TokenService {
  /** What people call it. */
  name: string
  tokenPath(id: string, secret: string): string
  staleToken: readonly number[]
}

/** https://developer.work.weixin.qq.com/document/path/91039 */
export const wecomTokens: TokenService = {
  name: '企业微信',
  tokenPath: (corpid, corpsecret) => `/cgi-bin/gettoken?${new URLSearchParams({ corpid, corpsecret }).toString()}`,
  staleToken: [40014, 42001, 41001],
}

/** https://open.dingtalk.com/document/orgapp/obtain-orgapp-token; 88 is how its gateway refuses. */
export const dingtalkTokens: TokenService = {
  name: '钉钉',
  tokenPath: (appkey, appsecret) => `/gettoken?${new URLSearchParams({ appkey, appsecret }).toString()}`,
  staleToken: [40014, 42001, 88],
}

/** Seconds before its end from which on a token is not used any more. */
const marginSeconds = 300

/** A process asks for its own; both services count how often. */
const tokens = new Map<string, { token: string; until: number }>()

/**
 * An application's token that is good yet. @param key the application and, after a blank, the version of its settings
 */
export function keptToken(key: string): string | undefined {
  const kept = tokens.get(key)
  return kept && kept.until > Date.now() ? kept.token : undefined
}

/**
 * Keeps a token until a little before it expires; those of other settings of the same application are of no use any
 * more.
 */
export function keepToken(key: string, token: string, seconds: unknown): void {
  const [application] = key.split(' ')
  for (const other of tokens.keys()) if (other.startsWith(`${application} `)) tokens.delete(other)
  tokens.set(key, { token, until: Date.now() + Math.max(0, (Number(seconds) || 0) - marginSeconds) * 1000 })
}

/** Forgets a token that the service takes no more, or that is to be asked for anew. */
export const dropToken = (key: string): void => void tokens.delete(key)
