import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { StoredImage } from '../../core/parts/stored-file.tsx'
import { AccountAccessFacts } from './account-access.tsx'
import type { PersonKind } from './person-kinds.ts'
import { PersonBindings } from './person-bindings.tsx'
import { AccountChip } from './person-parts.tsx'

interface Account {
  suId: string
  suiName: string
  suiNumber: string
  suiPhoto: string | null
  suStatus: string
  activated: boolean
  lastLoginTime: string | null
  roles: readonly { srId: string; srName: string }[]
  createName: string
  createTime: string
  updateTime: string
}

/** A person's photo, account and roles, and who made their record. */
export function PersonSide({ kind, person }: { kind: PersonKind; person: Account }) {
  const { suiName, suiNumber, suiPhoto, lastLoginTime, roles, createName, createTime, updateTime } = person
  return (
    <div className="person-side">
      {suiPhoto && (
        <div className="person-photo">
          <StoredImage view={piiApi.photo} id={suiPhoto} name={`${suiName}的照片`} />
        </div>
      )}
      <Facts
        title="账号"
        items={[
          { label: '登录账号', value: suiNumber },
          { label: '状态', value: <AccountChip {...person} /> },
          { label: '最近登录', value: lastLoginTime?.slice(0, 16) ?? '从未登录' },
          { label: '角色', value: roles.map(({ srName }) => srName).join('、') },
        ]}
      />
      <AccountAccessFacts kind={kind} person={person} />
      <PersonBindings person={person} />
      <Facts
        title="档案"
        items={[
          { label: '创建人', value: createName },
          { label: '创建时间', value: createTime.slice(0, 16) },
          { label: '更新时间', value: updateTime.slice(0, 16) },
        ]}
      />
    </div>
  )
}
