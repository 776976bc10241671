/** Settings of older versions, each with advice on its replacement. */
export const RETIRED_SETTINGS: Readonly<Record<string, string>> = {
  remote_photos:
    'a photo with "url" is published as a link. For a thumbnail, write its link as "thumbnail" of that photo, or keep the photo in the content folder and name it with "file"',
};
