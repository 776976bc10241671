export const EXPORT_FORMATS = ['ndjson', 'csv', 'geojson', 'schema.org'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
