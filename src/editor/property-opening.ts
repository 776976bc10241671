import type { PropertyResponse } from './api.ts';
import type { CatalogueResponse } from './catalogue-info.ts';
import type { EditorClient } from './client.ts';
import { toRequestFailure } from './editing-state.ts';
import { changedFields, type FormValues, isEqualValue } from './undo-history.ts';
import type { DraftWithPhotos, UnsavedDraft, UnsavedDraftStore } from './unsaved-drafts.ts';

export type OpenedProperty = {
  readonly isNew: boolean;
  readonly property: PropertyResponse | null;
  readonly offers: readonly UnsavedDraft[];
  /** Ids of drafts of this property that other tabs have open. */
  readonly openElsewhere: readonly string[];
  readonly draft?: DraftWithPhotos;
};

type Which = Parameters<EditorClient['property']>[0];

export async function openProperty(
  client: EditorClient,
  drafts: UnsavedDraftStore,
  which: Which | null,
): Promise<OpenedProperty> {
  const property = which === null ? null : await loadPropertyIfPresent(client, which);
  const { closed, open } = await drafts.all();
  const isOwn = (draft: UnsavedDraft) =>
    property
      ? draft.path === property.path || propertyIdOfDraft(draft) === property.values.id
      : draft.path === which;
  const openElsewhere = open.filter(isOwn).map(({ id }) => id);
  if (!property) {
    const own = closed.filter(isOwn);
    const made = await Promise.all(
      own.map((draft) => loadPropertyIfPresent(client, { id: propertyIdOfDraft(draft) })),
    );
    return { isNew: which === null, property, offers: own.filter((_, place) => !made[place]), openElsewhere };
  }
  const own = closed.filter(isOwn);
  // Drops drafts whose save succeeded although its response was lost.
  for (const draft of own) if (isSaved(draft, property)) drafts.drop(draft.id);
  return { isNew: false, property, offers: own.filter((draft) => !isSaved(draft, property)), openElsewhere };
}

export function loadPropertyIfPresent(client: EditorClient, which: Which): Promise<PropertyResponse | null> {
  return client.property(which).catch((error: unknown) => {
    if (toRequestFailure(error).code === 'not-found') return null;
    throw error;
  });
}

/** A new property gets the id of its draft. */
export function propertyIdOfDraft({ base, id }: UnsavedDraft): string {
  return typeof base.id === 'string' && base.id !== '' ? base.id : id;
}

function isSaved({ base, values, texts }: UnsavedDraft, file: PropertyResponse): boolean {
  const changed = Object.entries(changedFields(base, values));
  return (
    Object.keys(texts).length === 0 &&
    changed.every(([name, value]) => isEqualValue(file.values[name], value))
  );
}

/** Initial values of a new property: country and currency, if all existing properties are in one country. */
export function newPropertyPreset({
  cities,
  countries,
}: Pick<CatalogueResponse, 'cities' | 'countries'>): FormValues {
  const [country, other] = Object.keys(cities);
  if (country === undefined || other !== undefined) return {};
  const { currency } = countries.find(({ code }) => code === country) ?? {};
  return { country, ...(currency && { currency }) };
}
