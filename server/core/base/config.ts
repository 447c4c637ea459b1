import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { defaultPasswordProfile, passwordProfiles } from '../../../contract/core/password-rule.ts'
import { clamdAddress } from './clamd-address.ts'
import {
  accounts,
  commaList,
  databaseAddress,
  isNetwork,
  origin,
  proxies,
  whole,
  wholeIfGiven,
  yesNo,
} from './config-fields.ts'
import { StartFault } from './start-fault.ts'

/** What the environment may set, by the names it uses. docs/operations.md lists the same; a test compares. */
const settings = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: whole(8080, 0, 65_535, '端口 PORT'),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  FILES_URL: z
    .string()
    .regex(/^https?:\/\/[^:@/]+:[^@/]+@[^/]+\/[^/?]+/, 'FILES_URL 须写作 https://KEY:SECRET@主机/存储桶?region=区域')
    .optional(),
  CLAMD: z
    .string()
    .transform((value, issue) => {
      const address = clamdAddress(value)
      if (!address) issue.addIssue({ code: 'custom', message: 'CLAMD 须写作 unix:/run/clamav/clamd.ctl 或 主机:端口' })
      return address ?? z.NEVER
    })
    .optional(),
  WITHOUT_CLAMD: z.enum(['refuse', 'accept'], 'WITHOUT_CLAMD 须为 refuse 或 accept').default('refuse'),
  DATABASE_URL: databaseAddress('DATABASE_URL').optional(),
  MIGRATION_DATABASE_URL: databaseAddress('MIGRATION_DATABASE_URL').optional(),
  DIRECT_DATABASE_URL: databaseAddress('DIRECT_DATABASE_URL').optional(),
  REPLICA_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'REPLICA_URL 须以 postgres:// 开头')
    .optional(),
  DATABASE_ENGINE: z.enum(['postgresql', 'citus'], 'DATABASE_ENGINE 须为 postgresql 或 citus').default('postgresql'),
  PREPARED_STATEMENTS: yesNo('PREPARED_STATEMENTS').default(true),
  POOL_SIZE: whole(Math.min(20, Math.max(8, availableParallelism() * 4)), 2, 90, '连接数 POOL_SIZE'),
  WEB_CONCURRENCY: whole(1, 1, 64, '进程数 WEB_CONCURRENCY'),
  DRAIN_SECONDS: wholeIfGiven(0, 60, '停止时继续应答的秒数 DRAIN_SECONDS'),
  RATE_LIMITS: z.enum(['shared', 'own'], 'RATE_LIMITS 须为 shared 或 own').optional(),
  DEMO_STUDENTS: whole(6000, 0, 20_000, '演示学生数 DEMO_STUDENTS'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'LOG_LEVEL 须为 fatal、error、warn、info、debug、trace 或 silent',
    )
    .default('info'),
  LOG_FILE: z.string().optional(),
  INSTANCE: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'INSTANCE 须为 1 至 64 位字母、数字、点、冒号、下划线或连字符')
    .optional(),
  SLOW_STATEMENT_MS: whole(500, 1, 600_000, 'SLOW_STATEMENT_MS'),
  METRICS_PORT: z.coerce
    .number('METRICS_PORT 须为整数')
    .int('METRICS_PORT 须为整数')
    .min(0, 'METRICS_PORT 不能小于 0')
    .max(65_535, 'METRICS_PORT 不能大于 65535')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      'OTEL_EXPORTER_OTLP_ENDPOINT 须为网址，如 http://127.0.0.1:4318',
    )
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: commaList.pipe(
    z.array(z.string().regex(/^[\w-]+=\S*$/, 'OTEL_EXPORTER_OTLP_HEADERS 须为以逗号分隔的 名称=值')),
  ),
  OTEL_SERVICE_NAME: z.string().max(100, 'OTEL_SERVICE_NAME 不能超过 100 个字').default('second-classroom'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('OTEL_TRACES_SAMPLER_ARG 须为 0 至 1 的数')
    .min(0, 'OTEL_TRACES_SAMPLER_ARG 须为 0 至 1 的数')
    .max(1, 'OTEL_TRACES_SAMPLER_ARG 须为 0 至 1 的数')
    .default(1),
  ALARM_DISK_MB: whole(2048, 0, 1_000_000_000, 'ALARM_DISK_MB'),
  ALARM_BACKUP_HOURS: whole(36, 0, 8760, 'ALARM_BACKUP_HOURS'),
  ALARM_JOB_MINUTES: whole(15, 1, 10_000, 'ALARM_JOB_MINUTES'),
  METRICS_HOST: z.string().default('127.0.0.1'),
  SMTP_URL: z
    .string()
    .refine(
      (value) => /^smtps?:\/\/[^/?#\s]+$/.test(value) && URL.canParse(value),
      'SMTP_URL 须写作 smtps://账号:口令@主机:端口 或 smtp://主机:端口，账号、口令中的特殊字符用 %XX 表示',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/, 'MAIL_FROM 须为一个邮箱地址，如 dekt@example.edu.cn')
    .optional(),
  OUTBOUND_PRIVATE: commaList.pipe(
    z.array(z.string().refine(isNetwork, 'OUTBOUND_PRIVATE 须为以逗号分隔的地址或网段，如 10.1.0.0/16')),
  ),
  SOURCES_DIR: z.string().min(1, 'SOURCES_DIR 须为一个文件夹').optional(),
  OPERATORS: accounts('OPERATORS'),
  STATISTICS_VIEWERS: accounts('STATISTICS_VIEWERS'),
  LOG_LIMIT_MB: whole(16, 0, 1_048_576, 'LOG_LIMIT_MB'),
  PUBLIC_ORIGINS: commaList.pipe(z.array(origin)),
  TRUST_PROXY: proxies.default(false),
  ALLOW_PLAIN_HTTP: yesNo('ALLOW_PLAIN_HTTP').default(false),
  ALLOW_QUERY_CREDENTIALS: yesNo('ALLOW_QUERY_CREDENTIALS').default(true),
  PASSWORD_PROFILE: z.enum(passwordProfiles, 'PASSWORD_PROFILE 须为 dengbao 或 asvs').default(defaultPasswordProfile),
  OUTPUT_CHECKS: yesNo('OUTPUT_CHECKS').optional(),
  CONNECTIONS_PER_ADDRESS: whole(4000, 0, 1_000_000, 'CONNECTIONS_PER_ADDRESS'),
  REQUESTS_PER_MINUTE: whole(600, 0, 1_000_000, 'REQUESTS_PER_MINUTE'),
  ADDRESS_REQUESTS_PER_MINUTE: whole(6000, 0, 1_000_000, 'ADDRESS_REQUESTS_PER_MINUTE'),
  STATISTICS_PER_MINUTE: whole(120, 0, 1_000_000, 'STATISTICS_PER_MINUTE'),
  SEARCHES_PER_MINUTE: whole(60, 0, 1_000_000, 'SEARCHES_PER_MINUTE'),
  EXPORTS_PER_MINUTE: whole(10, 0, 1_000_000, 'EXPORTS_PER_MINUTE'),
  REQUESTS_AT_ONCE: whole(Math.max(4, availableParallelism() * 2), 0, 1000, 'REQUESTS_AT_ONCE'),
  BUSY_AFTER_MS: whole(5000, 0, 600_000, 'BUSY_AFTER_MS'),
  UPLOAD_LIMIT_MB: whole(20, 1, 1024, 'UPLOAD_LIMIT_MB'),
  BACKUP_PLACE: z.string().optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'BACKUP_AT 须写作 02:30 这样的时间')
    .default('02:30'),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d{1,3}[dwm](\s*,\s*\d{1,3}[dwm])*$/, 'BACKUP_KEEP 须写作 7d,4w,12m（保留 7 天、4 周、12 个月，每段一份）')
    .default('7d,4w,12m'),
  BACKUP_RECIPIENTS: commaList,
  WAL_ARCHIVE: z.string().optional(),
  WAL_ARCHIVE_DAYS: whole(7, 1, 3650, 'WAL_ARCHIVE_DAYS'),
  BACKUP_IDENTITY: z.string().optional(),
  SECRET_PEPPER: key('SECRET_PEPPER').optional(),
  SECRET_FIELD_KEY: key('SECRET_FIELD_KEY').optional(),
  SCHOOL_ID: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,32}$/, 'SCHOOL_ID 须为 1 至 32 位字母、数字、下划线或连字符')
    .optional(),
  SCHOOL_NAME: z.string().max(100, 'SCHOOL_NAME 不能超过 100 个字').optional(),
  ADMIN_USERNAME: z.string().max(50, 'ADMIN_USERNAME 不能超过 50 个字').default('admin'),
  ADMIN_PASSWORD: z.string().min(8, 'ADMIN_PASSWORD 至少 8 位').optional(),
})

/** The names of all settings. */
export const settingNames = Object.keys(settings.shape)

export type Config = ReturnType<typeof parseConfig>

/**
 * Reads the settings from an environment record; a setting that is empty counts as not given.
 * @throws StartFault with all faults at once, one a line
 */
export function parseConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(env)
      .filter(([, value]) => value?.trim())
      .map(([name, value]) => [name, value?.trim()]),
  )
  const read = settings.safeParse(given)
  if (!read.success)
    throw new StartFault(
      `设置有误：\n${read.error.issues.map((issue) => `  ${issue.path[0] as string}：${issue.message}`).join('\n')}`,
    )
  const set = read.data
  if (set.MIGRATION_DATABASE_URL && !set.DATABASE_URL)
    throw new StartFault('设置有误：\n  MIGRATION_DATABASE_URL：须与 DATABASE_URL 一起设置')
  if (set.DIRECT_DATABASE_URL && !set.DATABASE_URL)
    throw new StartFault('设置有误：\n  DIRECT_DATABASE_URL：须与 DATABASE_URL 一起设置')
  if (set.DATABASE_ENGINE === 'citus' && !set.DATABASE_URL)
    throw new StartFault('设置有误：\n  DATABASE_ENGINE：citus 须与 DATABASE_URL（协调节点的地址）一起设置')
  if (!set.SMTP_URL !== !set.MAIL_FROM)
    throw new StartFault(`设置有误：\n  ${set.SMTP_URL ? 'SMTP_URL' : 'MAIL_FROM'}：SMTP_URL 与 MAIL_FROM 须一起设置`)
  if (set.WAL_ARCHIVE && set.DATABASE_URL)
    throw new StartFault(
      '设置有误：\n  WAL_ARCHIVE：只用于内置数据库；外部数据库请用 pgBackRest，见 docs/operations.md“按时间点恢复”',
    )
  if (set.WAL_ARCHIVE && set.BACKUP_RECIPIENTS.length === 0)
    throw new StartFault('设置有误：\n  WAL_ARCHIVE：须与 BACKUP_RECIPIENTS（用谁的公钥加密）一起设置')
  const production = set.NODE_ENV === 'production'
  if (production && !isLoopback(set.HOST) && set.TRUST_PROXY === false && !set.ALLOW_PLAIN_HTTP)
    throw new StartFault(plainHttpText(set.HOST))
  return {
    production,
    port: set.PORT,
    host: set.HOST,
    /** Absolute. */
    dataDir: resolve(set.DATA_DIR),
    /** An S3-compatible bucket for uploaded files; undefined: the folder `files` of the data folder. */
    filesUrl: set.FILES_URL,
    /** Where clamd listens, which looks at uploads for viruses; undefined: nobody does. */
    clamd: set.CLAMD,
    /** What becomes of uploads while it does not answer. */
    withoutClamd: set.WITHOUT_CLAMD,
    /** Undefined: the embedded PostgreSQL in the data folder. */
    databaseUrl: set.DATABASE_URL,
    /** The same database as its owner, for migrations; undefined: the service is the owner. */
    migrationDatabaseUrl: set.MIGRATION_DATABASE_URL,
    /**
     * The same database without a pooler between, for what belongs to one connection: hearing signals, and locks that
     * outlive a transaction. Undefined: `databaseUrl` is such an address itself.
     */
    directDatabaseUrl: set.DIRECT_DATABASE_URL,
    /** A standby of the database that statistics and exports are read from; undefined: there is none. */
    replicaUrl: set.REPLICA_URL,
    /** What the database is: PostgreSQL, or Citus, which keeps each school on one of several machines. */
    databaseEngine: set.DATABASE_ENGINE,
    /** Whether statements are prepared under names, which an old pooler cannot pass on. */
    preparedStatements: set.PREPARED_STATEMENTS,
    poolSize: set.POOL_SIZE,
    /** Processes that answer requests; with one, the program itself does. */
    webProcesses: set.WEB_CONCURRENCY,
    /** Seconds that a stopping process goes on answering while a balancer takes it out of its list. */
    drainSeconds: set.DRAIN_SECONDS ?? (production ? 5 : 0),
    /** Students of the demo school; 0 none. Always 0 in production. */
    demoStudents: production ? 0 : set.DEMO_STUDENTS,
    logLevel: set.LOG_LEVEL,
    /** Absolute path of the log; undefined: standard output, as supervisors like it. */
    logFile:
      set.LOG_FILE === '-' || (production && !set.LOG_FILE)
        ? undefined
        : resolve(set.LOG_FILE ?? `${set.DATA_DIR}/service.log`),
    /** What this machine's processes are called in the log and on the screen; undefined: the machine's name. */
    instance: set.INSTANCE,
    /** Milliseconds from which on a statement of the database is written down as slow. */
    slowStatementMs: set.SLOW_STATEMENT_MS,
    /** Where metrics are offered; without a port nothing is measured, 0 lets the system choose one. */
    metricsPort: set.METRICS_PORT,
    metricsHost: set.METRICS_HOST,
    /** Where traces are sent, and how; undefined: none are made. */
    traces: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          url: `${set.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')}/v1/traces`,
          headers: Object.fromEntries(
            set.OTEL_EXPORTER_OTLP_HEADERS.map((header) => {
              const at = header.indexOf('=')
              return [header.slice(0, at), decodeURIComponent(header.slice(at + 1))]
            }),
          ),
          service: set.OTEL_SERVICE_NAME,
          /** Which part of the traces is kept, 0 to 1. */
          share: set.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    /** When a person is told: free bytes, hours since a good backup (0 never), minutes a due job waits. */
    alarms: {
      diskBytes: set.ALARM_DISK_MB * 1_048_576,
      backupHours: set.ALARM_BACKUP_HOURS,
      jobMinutes: set.ALARM_JOB_MINUTES,
    },
    /** The mail server and the address that mail comes from; undefined: no mail is sent. */
    mail: set.SMTP_URL && set.MAIL_FROM ? { url: set.SMTP_URL, from: set.MAIL_FROM } : undefined,
    /** Private networks that schools may be connected with, by plain HTTP as well. */
    outboundPrivate: set.OUTBOUND_PRIVATE,
    /** The folder with a folder for each school, into which other systems put files; undefined: none. */
    sourcesDir: set.SOURCES_DIR ? resolve(set.SOURCES_DIR) : undefined,
    /** `school/account` of those who look after the whole installation. */
    operators: production || set.OPERATORS.length > 0 ? set.OPERATORS : ['demo/admin'],
    /** `school/account` of those who see the statistics of all schools and are no operators. */
    statisticsViewers: set.STATISTICS_VIEWERS,
    /** Bytes beyond which a log is put aside; 0 never, for somebody else does it. */
    logLimit: set.LOG_LIMIT_MB * 1_048_576,
    /** Addresses under which people open the service; links in messages and credentials name the first. */
    publicOrigins: set.PUBLIC_ORIGINS,
    trustProxy: set.TRUST_PROXY,
    /** Whether what gets somebody in may stand in an address, as callers of RFC 6749's first days send it. */
    allowQueryCredentials: set.ALLOW_QUERY_CREDENTIALS,
    passwordProfile: set.PASSWORD_PROFILE,
    /** Whether every answer is checked against its contract. */
    outputChecks: set.OUTPUT_CHECKS ?? !production,
    /** Connections that one address may hold open; 0 any number. Behind a proxy, which has them all, no bound. */
    connectionsPerAddress: set.TRUST_PROXY === false ? set.CONNECTIONS_PER_ADDRESS : 0,
    /** Whether the processes on the database count requests together; pointless where there can be only one. */
    sharesLimits: (set.RATE_LIMITS ?? (set.DATABASE_URL || set.WEB_CONCURRENCY > 1 ? 'shared' : 'own')) === 'shared',
    /** Requests one person may make a minute; 0 any number. Of those for statistics, searches and files likewise. */
    requestsPerMinute: set.REQUESTS_PER_MINUTE,
    statisticsPerMinute: set.STATISTICS_PER_MINUTE,
    searchesPerMinute: set.SEARCHES_PER_MINUTE,
    exportsPerMinute: set.EXPORTS_PER_MINUTE,
    /**
     * Requests one address may make a minute before anybody has signed in; 0 any number. A whole campus may share one.
     */
    addressRequestsPerMinute: set.ADDRESS_REQUESTS_PER_MINUTE,
    /** Requests of all schools that a process works on at a time while several schools ask; 0 without turns. */
    requestsAtOnce: set.REQUESTS_AT_ONCE,
    /** Mean milliseconds that work may wait its turn before the service sends callers away for a moment; 0 never. */
    busyAfter: set.BUSY_AFTER_MS,
    /** Bytes an uploaded file may have. */
    uploadLimit: set.UPLOAD_LIMIT_MB * 1_048_576,
    /** Absolute folder that the nightly backup goes to; undefined: there is none. */
    backupPlace: set.BACKUP_PLACE && resolve(set.BACKUP_PLACE),
    /** Time of day, `02:30`, after which it begins. */
    backupAt: set.BACKUP_AT,
    /** Which backups stay, as `parseKeep` reads it. */
    backupKeep: set.BACKUP_KEEP,
    /** Public keys, `age1…`, that backups are encrypted for. */
    backupRecipients: set.BACKUP_RECIPIENTS,
    /** Absolute folder that the WAL of the embedded database is archived to; undefined: it is not. */
    walArchive: set.WAL_ARCHIVE && resolve(set.WAL_ARCHIVE),
    /** Days back to each moment of which the archive leads. */
    walArchiveDays: set.WAL_ARCHIVE_DAYS,
    /** The file with the key that opens them; needed for restoring alone. */
    backupIdentity: set.BACKUP_IDENTITY && resolve(set.BACKUP_IDENTITY),
    /** Secrets given from outside instead of the file in the data folder. */
    secretPepper: set.SECRET_PEPPER,
    secretFieldKey: set.SECRET_FIELD_KEY,
    /** The school to make when the database has none. */
    firstSchool:
      set.ADMIN_PASSWORD && set.SCHOOL_ID && set.SCHOOL_NAME
        ? {
            schoolId: set.SCHOOL_ID,
            schName: set.SCHOOL_NAME,
            username: set.ADMIN_USERNAME,
            password: set.ADMIN_PASSWORD,
          }
        : undefined,
  }
}

/** Whether only this machine reaches a listening address. */
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)

const plainHttpText = (host: string): string =>
  [
    `设置有误：\n  HOST：生产环境监听 ${host}，别的机器可以不经 HTTPS 直接访问，密码和个人信息会以明文经过网络。请选择一种：`,
    '    反向代理与本程序在同一台机器：HOST=127.0.0.1，并设 TRUST_PROXY=1',
    '    反向代理在另一台机器（由它提供 HTTPS）：设 TRUST_PROXY 为代理的地址，并用防火墙只放行代理',
    '    确实要用明文 HTTP（如隔离的测试网络）：设 ALLOW_PLAIN_HTTP=1',
  ].join('\n')

/** 32 bytes as 64 hexadecimal digits or base64. */
function key(what: string) {
  return z.string().transform((value, issue) => {
    const bytes = Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64')
    if (bytes.length === 32) return bytes
    issue.addIssue({
      code: 'custom',
      message: `${what} 须为 32 字节的密钥（64 位十六进制或 base64），可用 openssl rand -hex 32 生成`,
    })
    return z.NEVER
  })
}
